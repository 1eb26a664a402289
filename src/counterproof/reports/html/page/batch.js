// Which targets are shown, and in which order. Rows are only hidden and moved; no text is made here but the count.

const find = (id) => document.getElementById(id);
const body = find("rows");
const rows = [...body.rows];
const words = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));
const boxes = [...find("filters").querySelectorAll('input[name="severity"]')];
const heads = [...document.querySelectorAll("th button")];

function apply() {
  const levels = boxes.filter((box) => box.checked).map((box) => box.value);
  const state = find("filter-state").value;
  const search = find("filter-text").value.toLowerCase().split(/\s+/).filter(Boolean);
  let left = 0;
  for (const row of rows) {
    const has = row.dataset.levels.split(" ");
    const kept =
      levels.some((level) => has.includes(level)) &&
      (!state || row.dataset.state === state) &&
      search.every((word) => words.get(row).includes(word));
    row.hidden = !kept;
    left += kept;
  }
  const noun = rows.length === 1 ? "target" : "targets";
  const all = rows.length.toLocaleString("en");
  find("count").textContent = left === rows.length ? `${all} ${noun}` : `${left.toLocaleString("en")} of ${all} ${noun}`;
  find("nothing").hidden = left > 0;
}

const order = { column: "", up: false };

/** By a column: numbers by size, the rest by name. The first click on a number shows the largest on top. */
function sort(column, up) {
  const value = (row) => row.querySelector(`[data-column="${column}"]`)?.dataset.value ?? "";
  const numbers = rows.every((row) => !Number.isNaN(Number(value(row))));
  const compared = (one, other) => (numbers ? Number(value(one)) - Number(value(other)) : value(one).localeCompare(value(other)));
  rows.sort((one, other) => (up ? 1 : -1) * compared(one, other) || Number(one.dataset.place) - Number(other.dataset.place));
  body.append(...rows);
  Object.assign(order, { column, up });
  for (const head of heads) {
    const sorted = head.dataset.column === column ? (up ? "ascending" : "descending") : "none";
    head.closest("th").setAttribute("aria-sort", sorted);
  }
  find("sort").value = column;
}

function reset() {
  find("filter-text").value = "";
  find("filter-state").value = "";
  for (const box of boxes) box.checked = true;
  apply();
}

const rises = (column) => column === "target";
for (const head of heads) {
  const column = head.dataset.column;
  head.disabled = false;
  head.addEventListener("click", () => sort(column, order.column === column ? !order.up : rises(column)));
}
find("filters").hidden = false;
for (const kind of ["input", "change"]) find("filters").addEventListener(kind, apply);
find("filter-reset").addEventListener("click", reset);
find("sort").addEventListener("change", (event) => event.target.value && sort(event.target.value, rises(event.target.value)));
document.addEventListener("keydown", (event) => {
  const typing = event.target.closest?.("input, select, textarea");
  if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    find("filter-text").focus();
  }
});
