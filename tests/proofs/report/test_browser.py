"""The site in a browser: headless Chromium opens every page from disk.

The record is the one made by hand, or the file that DELTAPROOF_REPORT_RECORD names: continuous
integration gives the one of the full ledger.
"""

import json
import os
import re
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from deltaproof.proofs.record import read
from deltaproof.proofs.report import write

selenium = pytest.importorskip("selenium", reason="selenium is not installed")
axe = pytest.importorskip("axe_core_python", reason="axe-core-python is not installed")
from selenium import webdriver  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.support.ui import Select  # noqa: E402

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
pytestmark = [
    pytest.mark.skipif(
        not (CHROMIUM and DRIVER),
        reason="chromium or chromedriver not found (apt: chromium-driver)",
    ),
    pytest.mark.slow,
    # one browser for all: its tests stay in one process
    pytest.mark.xdist_group("browser"),
]
AXE = (Path(axe.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
NARROW, WIDE = 360, 1280
SECONDS = 15.0
BYTES = 10_000_000
SCRIPT_SECONDS = 120
SHOWN = 6


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    options = webdriver.ChromeOptions()
    options.binary_location = str(CHROMIUM)
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(
        options=options, service=webdriver.ChromeService(executable_path=str(DRIVER))
    )
    driver.set_script_timeout(SCRIPT_SECONDS)
    yield driver
    driver.quit()


@pytest.fixture
def site(
    bad: dict[str, Any], picture: dict[str, Any], conformance: dict[str, Any], tmp_path: Path
) -> Path:
    """The folder of a site with every kind of page."""
    if named := os.environ.get("DELTAPROOF_REPORT_RECORD"):
        record = read(Path(named))
    else:
        bad["pictures"] = [picture]
        bad["claims"][1]["depends_on"] = ["sample.proved"]
        record = bad
    begun = time.process_time()
    write(record, tmp_path, ["html"], [conformance])
    assert time.process_time() - begun < SECONDS
    assert sum(p.stat().st_size for p in tmp_path.rglob("*")) < BYTES
    return tmp_path


def show(browser: Any, path: Path, width: int = WIDE, *, dark: bool = False) -> None:
    """Open a page as a reader with this screen would."""
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < WIDE},
    )
    scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
    browser.get(path.as_uri())


def opened(site: Path) -> list[Path]:
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 5
    return pages


def requests(browser: Any) -> list[str]:
    told = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    return [
        m["params"]["request"]["url"] for m in told if m["method"] == "Network.requestWillBeSent"
    ]


def test_every_page_opens_quietly_and_fits_a_narrow_screen(browser: Any, site: Path) -> None:
    requests(browser)
    for path in opened(site):
        show(browser, path, NARROW)
        said = [entry["message"] for entry in browser.get_log("browser")]
        assert said == [], path
        assert requests(browser) == [path.as_uri()], path
        width = browser.execute_script("return document.documentElement.scrollWidth")
        assert width <= NARROW, path


def test_a_fault_would_be_noticed(browser: Any, site: Path) -> None:
    path = site / "index.html"
    text = path.read_text(encoding="utf-8")
    fault = '<img src="https://example.invalid/a.png"><p style="width: 900px">wide</p>'
    fault += "<script>document.title = 1</script><input>"
    path.write_text(text.replace("<main", fault + "<main"), encoding="utf-8")
    show(browser, path, NARROW)
    said = " ".join(entry["message"] for entry in browser.get_log("browser"))
    assert "Content Security Policy" in said
    assert any(v["id"] == "label" for v in violations(browser))


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_no_page_shuts_a_reader_out(browser: Any, site: Path, dark: bool) -> None:
    claims = [p for p in opened(site) if p.parent.name == "claims"]
    others = [p for p in opened(site) if p.parent.name != "claims"]
    # of a large ledger every so many claims: one template makes them all
    for path in (*others, *claims[:: -(-len(claims) // SHOWN)]):
        show(browser, path, dark=dark)
        assert violations(browser) == [], path


def violations(browser: Any) -> list[dict[str, Any]]:
    """What axe finds to be serious or worse: the rule, and the elements.

    Formulas are left out: their inside is the browser's, and there are thousands.
    """
    browser.execute_script(AXE)
    found = browser.execute_async_script(
        "const done = arguments[0];"
        "axe.run({exclude: [['math']]}, {resultTypes: ['violations']})"
        ".then((r) => done(r.violations))"
    )
    return [
        {"id": v["id"], "nodes": [n["html"][:200] for n in v["nodes"][:3]]}
        for v in found
        if v["impact"] in ("serious", "critical")
    ]


def visible_claims(browser: Any) -> list[str]:
    return browser.execute_script(
        "return [...document.querySelectorAll('table.ledger tr.claim')]"
        ".filter((r) => r.offsetParent !== null)"
        ".map((r) => r.querySelector('th a').textContent)"
    )


def test_filters_show_what_is_asked_for(browser: Any, site: Path) -> None:
    page = site / "index.html"
    show(browser, page)
    everything = visible_claims(browser)
    form = browser.find_element(By.ID, "filter")
    assert form.is_displayed()
    Select(form.find_element(By.NAME, "verdict")).select_by_visible_text("refuted")
    refuted = visible_claims(browser)
    assert 0 < len(refuted) < len(everything)
    assert browser.find_element(By.ID, "shown").text == (
        f"{len(refuted)} of {len(everything)} claims"
    )
    # what was asked for stands in the address, and works from there
    asked = browser.current_url
    assert asked.endswith("#verdict=refuted")
    browser.get("about:blank")
    browser.get(asked)
    assert visible_claims(browser) == refuted
    browser.find_element(By.CSS_SELECTOR, "#filter button").click()
    browser.execute_async_script("setTimeout(arguments[0], 50)")
    assert visible_claims(browser) == everything
    for name, value in (("words", refuted[0]), ("kind", "certificate"), ("family", "")):
        show(browser, page)
        browser.execute_script(
            "const f = document.getElementById('filter').elements[arguments[0]];"
            "f.value = arguments[1] || f.options[1].value;"
            "f.dispatchEvent(new Event('input', {bubbles: true}))",
            name,
            value,
        )
        assert 0 < len(visible_claims(browser)) < len(everything), name


def test_the_graph_is_reduced_to_what_a_claim_rests_on(browser: Any, site: Path) -> None:
    show(browser, site / "graph.html")
    chosen = browser.execute_script(
        "return [...document.querySelectorAll('tr[data-claim]')]"
        ".map((r) => [r.dataset.claim, r.dataset.ancestors.split(' ').filter(Boolean)])"
        ".sort((a, b) => b[1].length - a[1].length)[0]"
    )
    Select(browser.find_element(By.CSS_SELECTOR, "#reduce select")).select_by_visible_text(
        chosen[0]
    )
    shown = [
        node.get_attribute("data-claim")
        for node in browser.find_elements(By.CSS_SELECTOR, "svg.graph .node")
        if node.is_displayed()
    ]
    assert set(shown) == {chosen[0], *chosen[1]}
    assert browser.find_element(By.ID, "shown").text == f"{len(chosen[1])} ancestors"


def test_the_keyboard_reaches_the_content(browser: Any, site: Path) -> None:
    show(browser, site / "index.html")
    body = browser.find_element(By.TAG_NAME, "body")
    body.send_keys("\ue004")  # Tab
    focused = browser.switch_to.active_element
    assert focused.get_attribute("class") == "skip"
    assert focused.is_displayed()
    assert re.search("#content$", focused.get_attribute("href"))
