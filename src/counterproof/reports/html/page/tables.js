// Which rows of the sortable tables are shown, and in which order. Rows are only hidden and moved; no text is made here but the count.
// Where findings have a filter, the key `/` is theirs.

{
  const tables = [...document.querySelectorAll(".facts-table")];
  const bodies = new Map(tables.map((table) => [table, table.tBodies[0]]));
  const rows = tables.flatMap((table) => [...bodies.get(table).rows]);
  const words = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));
  const [box, count] = ["table-filter", "table-count"].map($);

  function apply() {
    const search = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    let left = 0;
    for (const row of rows) {
      const kept = search.every((word) => words.get(row).includes(word));
      row.hidden = !kept;
      left += kept;
    }
    for (const table of search.length ? tables : []) {
      const fold = table.closest("details");
      if (fold) fold.open = [...bodies.get(table).rows].some((row) => !row.hidden);
    }
    count.textContent = search.length ? `${left.toLocaleString("en")} of ${rows.length.toLocaleString("en")} rows` : "";
  }

  /** By a column: numbers by size, texts by name. A second click turns the order round. */
  function sort(table, index, head) {
    const up = head.getAttribute("aria-sort") !== "ascending";
    const value = (row) => row.cells[index].textContent.trim();
    const listed = [...bodies.get(table).rows];
    const numbers = listed.every((row) => !Number.isNaN(Number(value(row))));
    const compared = (one, other) => (numbers ? Number(value(one)) - Number(value(other)) : value(one).localeCompare(value(other)));
    listed.sort((one, other) => (up ? 1 : -1) * compared(one, other));
    bodies.get(table).append(...listed);
    for (const each of table.tHead.rows[0].cells) each.setAttribute("aria-sort", "none");
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
  }

  for (const table of tables) {
    [...table.tHead.rows[0].cells].forEach((head, index) => {
      const button = head.querySelector("button");
      button.disabled = false;
      button.addEventListener("click", () => sort(table, index, head));
    });
  }
  if (box) box.closest("div").hidden = false;
  box?.addEventListener("input", apply);
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest?.("input, select, textarea") || $("filters");
    if (box && event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      box.focus();
    }
  });
}
