"use strict";
// Hides the rows that the form does not ask for; what is asked for stands in the address.
const form = document.getElementById("filter");
const shown = document.getElementById("shown");
const rows = [...document.querySelectorAll("tr.claim")].map((row) => ({
  row,
  family: row.parentElement.dataset.family,
  source: row.dataset.source,
  verdict: row.dataset.verdict,
  kinds: row.dataset.kinds.trim().split(" "),
  words: row.textContent.toLowerCase(),
}));
const names = ["family", "source", "verdict", "kind", "words"];

function apply() {
  const asked = Object.fromEntries(names.map((name) => [name, form.elements[name].value]));
  const words = asked.words.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const r of rows) {
    const fits =
      (!asked.family || r.family === asked.family) &&
      (!asked.source || r.source === asked.source) &&
      (!asked.verdict || r.verdict === asked.verdict) &&
      (!asked.kind || r.kinds.includes(asked.kind)) &&
      words.every((word) => r.words.includes(word));
    r.row.hidden = !fits;
    count += fits;
  }
  for (const body of document.querySelectorAll("table.ledger tbody")) {
    body.hidden = !body.querySelector("tr.claim:not([hidden])");
  }
  shown.textContent = `${count} of ${rows.length} claims`;
  return asked;
}

function remember(asked) {
  const kept = new URLSearchParams(Object.entries(asked).filter(([, value]) => value));
  history.replaceState(null, "", `#${kept}`);
}

form.hidden = false;
for (const [name, value] of new URLSearchParams(location.hash.slice(1))) {
  if (names.includes(name)) form.elements[name].value = value;
}
apply();
for (const changed of ["input", "change"]) {
  form.addEventListener(changed, () => remember(apply()));
}
form.addEventListener("reset", () => setTimeout(() => remember(apply())));
form.addEventListener("submit", (event) => event.preventDefault());
