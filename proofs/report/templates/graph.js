"use strict";
// Reduces the drawing and the table to one claim and what it rests on.
const form = document.getElementById("reduce");
const shown = document.getElementById("shown");
const rows = [...document.querySelectorAll("tr[data-claim]")];
const nodes = [...document.querySelectorAll("svg.graph .node")];
const edges = [...document.querySelectorAll("svg.graph .edge")];
const select = form.elements.claim;

function apply() {
  const chosen = select.value;
  const row = rows.find((r) => r.dataset.claim === chosen);
  const kept = row && new Set([chosen, ...row.dataset.ancestors.split(" ")]);
  const out = (...ids) => Boolean(kept) && !ids.every((id) => kept.has(id));
  for (const r of rows) r.hidden = out(r.dataset.claim);
  for (const n of nodes) {
    n.classList.toggle("out", out(n.dataset.claim));
    n.classList.toggle("chosen", n.dataset.claim === chosen);
  }
  for (const e of edges) e.classList.toggle("out", out(e.dataset.from, e.dataset.to));
  const count = rows.filter((r) => !r.hidden).length;
  shown.textContent = row ? `${count - 1} ancestors` : `${count} claims`;
  if (row) {
    const node = nodes.find((n) => n.dataset.claim === chosen);
    node.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
}

form.hidden = false;
const asked = new URLSearchParams(location.hash.slice(1)).get("claim");
if (asked) select.value = asked;
apply();
select.addEventListener("change", () => {
  history.replaceState(null, "", select.value ? `#claim=${encodeURIComponent(select.value)}` : "#");
  apply();
});
form.addEventListener("reset", () => setTimeout(apply));
form.addEventListener("submit", (event) => event.preventDefault());
