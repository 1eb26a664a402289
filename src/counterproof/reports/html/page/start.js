// Puts the page to work: code that is coloured when its row is opened, links that open what they point at, keys, print.

const rows = [...document.querySelectorAll("li.finding")];
const filters = rows.length ? filtering(rows) : null;
const MOST_PRINTED = 200;

// In a long list a browser lays out only the rows near the screen; the others would be nameless to a screen reader.
for (const row of document.querySelectorAll(".long > li.finding")) {
  const words = [".level", ".number", ".title"].map((part) => row.querySelector(part).textContent);
  row.setAttribute("aria-label", words.join(" "));
}

document.addEventListener(
  "toggle",
  (event) => {
    const row = event.target.closest("li.finding");
    if (!row || !event.target.open || row.dataset.coloured) return;
    row.dataset.coloured = "yes";
    for (const line of row.querySelectorAll(".code li")) {
      highlight(line.querySelector("mark") ?? line, line.parentNode.dataset.ending);
    }
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
  for (let each = target; each; each = each.parentElement.closest("details")) each.open = true;
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
  for (const row of grave) row.querySelector("details").open = true;
});
addEventListener("afterprint", () => {
  for (const row of opened) row.querySelector("details").open = false;
  opened = [];
});

follow();
