// What a finding shows when it is opened. Each function draws one kind of block of the island.

const draw = {
  prose: ([title, words]) => [element("h4", "", text(title)), element("p", "", text(words))],
  list: ([title, items]) => [
    element("h4", "", text(title)),
    element("ul", "", ...items.map((item) => element("li", "", text(item)))),
  ],
  code: ([title, code]) => [element("h4", "", text(title)), element("pre", "", element("code", "", text(code)))],
  flow: ([title, ends, steps]) => [element("h4", "", text(title)), ...journey(ends), flow(steps)],
  steps: ([title, rows]) => [element("h4", "", text(title)), element("ul", "checks", ...rows.map(check))],
  sum: ([title, terms, total, level, notes]) => [
    element("h4", "", text(title)),
    arithmetic(terms, total, level),
    element("ul", "notes", ...notes.map((note) => element("li", "", text(note)))),
  ],
  facts: ([title, rows]) => [element("h4", "", text(title)), element("dl", "facts", ...rows.flatMap(fact))],
};

function journey([source, sink]) {
  if (!text(source) && !text(sink)) return [];
  const ends = [];
  if (text(source)) ends.push(`From ${text(source)}`);
  if (text(sink)) ends.push(`${ends.length ? " to" : "To"} ${text(sink)}`);
  return [element("p", "journey", ...ends)];
}

/** Steps in their order; the file is named where it changes. */
function flow(steps) {
  const list = element("ol", "flow");
  let file = null;
  for (const step of steps) {
    if (step.length === 1) {
      list.append(element("li", "gap", text(step[0])));
      continue;
    }
    const [path, line, kind, code, note] = step;
    if (path !== file) list.append(element("li", "file", element("code", "", text(path))));
    file = path;
    const head = element("p", "", element("span", `kind ${kind}`, kind), text(note) ? element("span", "note", text(note)) : null);
    const number = element("span", "line", String(line));
    number.setAttribute("aria-label", `line ${line}`);
    list.append(element("li", `step ${kind}`, head, element("pre", "", number, highlighted(text(code), text(path)))));
  }
  return list;
}

const SIGNS = { pass: "✓", partial: "!", fail: "✕", skip: "–" };

function check([name, result, at, reason]) {
  const sign = element("span", "sign", SIGNS[result] ?? "");
  sign.setAttribute("aria-hidden", "true");
  return element(
    "li",
    `check ${result}`,
    sign,
    element("span", "", element("strong", "", text(name)), `: ${result}`),
    text(reason) || text(at) ? element("p", "", text(reason), text(at) ? element("code", "", text(at)) : null) : null,
  );
}

const signed = (points) => (points > 0 ? `+${points}` : points < 0 ? `−${-points}` : "0");

function arithmetic(terms, total, level) {
  const rows = terms.map(([name, value, points]) =>
    element("tr", "", element("th", "", text(name)), element("td", "", text(value)), element("td", "figure", signed(points))),
  );
  const sum = element("tr", "", element("th", "", "sum"), element("td", "", `gives ${level}`), element("td", "figure", signed(total)));
  const table = element("table", "sum", element("tbody", "", ...rows), element("tfoot", "", sum));
  for (const heading of table.querySelectorAll("th")) heading.scope = "row";
  return table;
}

function fact([name, value, isCode]) {
  return [element("dt", "", text(name)), element("dd", "", isCode ? element("code", "", text(value)) : text(value))];
}

const drawnBlocks = (blocks) => blocks.flatMap(([kind, ...rest]) => draw[kind](rest));

/** Fill an opened finding, once. */
function fill(row, finding) {
  const body = row.querySelector(".body");
  if (body.dataset.filled) return;
  body.dataset.filled = "yes";
  const [, , , , first, second, third] = finding;
  for (const line of body.querySelectorAll(".code li")) {
    const text = line.querySelector("mark") ?? line;
    text.replaceChildren(...highlighted(text.textContent, line.parentNode.dataset.ending).childNodes);
  }
  body.querySelector("h4.evidence").before(...drawnBlocks(first));
  body.querySelector("h4.remedy").before(...drawnBlocks(second));
  body.append(...drawnBlocks(third));
}
