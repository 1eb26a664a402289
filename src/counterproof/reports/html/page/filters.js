// Which findings are shown. A row that does not match is hidden; the count says how many are left.

const $ = (id) => document.getElementById(id);

function filtering(rows) {
  const search = $("filter-text");
  const dimension = $("filter-dimension");
  const file = $("filter-file");
  const fate = $("filter-fate");
  const boxes = [...$("filters").querySelectorAll('input[name="severity"]')];
  const words = rows.map(() => null);
  const haystack = (place) => (words[place] ??= rows[place].textContent.toLowerCase());

  function matches(place, wanted) {
    const { level, area, path, fate: since } = rows[place].dataset;
    return (
      wanted.levels.has(level) &&
      (!wanted.area || wanted.area === area) &&
      (!wanted.fate || wanted.fate === since) &&
      (!wanted.file || path.toLowerCase().includes(wanted.file)) &&
      wanted.words.every((word) => haystack(place).includes(word))
    );
  }

  function apply() {
    const wanted = {
      levels: new Set(boxes.filter((box) => box.checked).map((box) => box.value)),
      area: dimension.value,
      fate: fate?.value ?? "",
      file: file.value.trim().toLowerCase(),
      words: search.value.toLowerCase().split(/\s+/).filter(Boolean),
    };
    let left = 0;
    for (const [place, row] of rows.entries()) {
      const kept = matches(place, wanted);
      if (row.hidden === kept) row.hidden = !kept;
      left += kept;
    }
    const all = rows.length;
    const noun = `${$("count").dataset.noun ?? "finding"}${all === 1 ? "" : "s"}`;
    $("count").textContent = left === all ? `${all.toLocaleString("en")} ${noun}` : `${left.toLocaleString("en")} of ${all.toLocaleString("en")} ${noun}`;
    $("nothing").hidden = left > 0;
  }

  function reset() {
    search.value = "";
    dimension.value = "";
    if (fate) fate.value = "";
    file.value = "";
    for (const box of boxes) box.checked = true;
    apply();
  }

  const paths = [...new Set(rows.map((row) => row.dataset.path))].sort();
  $("files").append(
    ...paths.map((path) => {
      const option = document.createElement("option");
      option.value = path;
      return option;
    }),
  );
  $("filters").hidden = false;
  for (const kind of ["input", "change"]) $("filters").addEventListener(kind, apply);
  $("filter-reset").addEventListener("click", reset);
  return { reset, search };
}
