// Puts the page to work: rows that fill when opened, links that open what they point at, keys, print.

const rows = [...document.querySelectorAll("li.finding")];
const place = new Map(rows.map((row, index) => [row, index]));
const filters = rows.length ? filtering(rows) : null;
const MOST_PRINTED = 200;

// In a long list a browser lays out only the rows near the screen; the others would be nameless to a screen reader.
for (const row of document.querySelectorAll(".long > li.finding")) {
  const words = [".level", ".number", ".title"].map((part) => row.querySelector(part).textContent);
  row.setAttribute("aria-label", words.join(" "));
}

function open(row) {
  fill(row, island.findings[place.get(row)]);
  row.querySelector("details").open = true;
}

document.addEventListener(
  "toggle",
  (event) => {
    const row = event.target.closest("li.finding");
    if (row && event.target.open) fill(row, island.findings[place.get(row)]);
  },
  true,
);

/** A link to a finding opens it, even if the filter hides it just now. */
function follow() {
  let target = null;
  try {
    target = $(decodeURIComponent(location.hash.slice(1)));
  } catch {
    return;
  }
  if (target?.tagName !== "DETAILS") return;
  const row = target.closest("li.finding");
  if (row?.hidden) filters.reset();
  if (row) open(row);
  target.open = true;
  target.scrollIntoView({ block: "start" });
}

addEventListener("hashchange", follow);
document.addEventListener("click", (event) => {
  const link = event.target.closest?.('a[href^="#"]');
  if (link && link.getAttribute("href") === location.hash) follow();
});

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest?.("input, select, textarea");
  if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey && filters) {
    event.preventDefault();
    filters.search.focus();
    filters.search.scrollIntoView({ block: "center" });
  } else if (event.key === "Escape" && event.target === filters?.search) {
    filters.reset();
  }
});

let opened = [];
addEventListener("beforeprint", () => {
  const grave = rows.filter((row) => !row.hidden && row.matches(".critical, .high")).slice(0, MOST_PRINTED);
  opened = grave.filter((row) => !row.querySelector("details").open);
  grave.forEach(open);
});
addEventListener("afterprint", () => {
  for (const row of opened) row.querySelector("details").open = false;
  opened = [];
});

const graph = $("graph");
if (graph) drawChains(graph, rows);
follow();
