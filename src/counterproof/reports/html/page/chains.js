// The attack chains as one graph: findings in columns, from roots on the left to ends on the right. What a finding gives is
// written beside the port that its arrows leave from. The same chains stand in the table below, in words.

const CARD = { width: 240, head: 58, port: 24, gapX: 80, gapY: 26, margin: 12 };
const MOST_NODES = 60;

/** Nodes by the index of their finding, each with its ports: a capability and the findings it leads to. */
function chainNodes(chains) {
  const nodes = new Map();
  const node = (index) => {
    if (!nodes.has(index)) nodes.set(index, { index, ports: new Map(), column: 0 });
    return nodes.get(index);
  };
  for (const [members, capabilities] of chains) {
    if (members.some((index) => index < 0)) continue;
    for (const [place, capability] of capabilities.entries()) {
      const then = members[place + 1];
      if (then === undefined || then === members[place]) continue;
      const ports = node(members[place]).ports;
      if (!ports.has(capability)) ports.set(capability, new Set());
      ports.get(capability).add(node(then).index);
    }
  }
  return nodes;
}

/** A node stands right of all that lead to it. Bounded, so that a circle cannot keep it going. */
function assignColumns(nodes) {
  for (let pass = 0; pass < nodes.size; pass++) {
    let moved = false;
    for (const node of nodes.values()) {
      for (const targets of node.ports.values()) {
        for (const index of targets) {
          const target = nodes.get(index);
          if (target.column <= node.column && node.column + 1 < nodes.size) {
            target.column = node.column + 1;
            moved = true;
          }
        }
      }
    }
    if (!moved) return;
  }
}

/** Whatever leads somewhere stands just left of it, so that few arrows pass behind other findings. */
function tighten(nodes) {
  for (const node of [...nodes.values()].sort((one, two) => two.column - one.column)) {
    const ends = [...node.ports.values()].flatMap((targets) => [...targets].map((index) => nodes.get(index).column));
    if (ends.length) node.column = Math.max(node.column, Math.min(...ends) - 1);
  }
}

/** Findings of a column in the order of those that lead to them. */
function sortColumns(columns) {
  for (const [place, column] of columns.entries()) {
    const before = columns[place - 1];
    if (!before) continue;
    const rank = (node) => {
      const from = before.flatMap((each, row) => ([...each.ports.values()].some((targets) => targets.has(node.index)) ? [row] : []));
      return from.length ? from.reduce((sum, row) => sum + row, 0) / from.length : before.length;
    };
    const ranks = new Map(column.map((node) => [node, rank(node)]));
    column.sort((one, two) => ranks.get(one) - ranks.get(two));
  }
}

const height = (node) => CARD.head + node.ports.size * CARD.port;

function placeNodes(nodes) {
  const columns = [];
  for (const node of nodes.values()) (columns[node.column] ??= []).push(node);
  const filled = columns.filter(Boolean);
  sortColumns(filled);
  const tall = filled.map((column) => column.reduce((sum, node) => sum + height(node) + CARD.gapY, -CARD.gapY));
  const most = Math.max(...tall);
  for (const [place, column] of filled.entries()) {
    let y = CARD.margin + (most - tall[place]) / 2;
    for (const node of column) {
      node.x = CARD.margin + place * (CARD.width + CARD.gapX);
      node.y = y;
      y += height(node) + CARD.gapY;
    }
  }
  return { width: filled.length * (CARD.width + CARD.gapX) - CARD.gapX + 2 * CARD.margin, height: most + 2 * CARD.margin };
}

const cut = (words, most) => (words.length > most ? `${words.slice(0, most - 1)}…` : words);

function card(node, row) {
  const details = row.querySelector("details");
  const number = row.querySelector(".number").textContent;
  const title = row.querySelector(".title").textContent;
  const level = island.findings[node.index][0];
  const link = drawn(
    "a",
    { href: `#${details.id}`, class: `card ${level}` },
    drawn("title", {}, `${number} ${title}`),
    drawn("rect", { x: node.x, y: node.y, width: CARD.width, height: height(node), rx: 8 }),
    drawn("text", { x: node.x + 14, y: node.y + 24, class: "number" }, `${cut(number, 12)} · ${level}`),
    drawn("text", { x: node.x + 14, y: node.y + 44 }, cut(title, 31)),
  );
  return link;
}

function arrows(node, nodes) {
  const lines = [];
  const words = [];
  for (const [place, [capability, targets]] of [...node.ports].entries()) {
    const x = node.x + CARD.width;
    const y = node.y + CARD.head + place * CARD.port + 8;
    words.push(
      drawn("text", { x: node.x + 14, y: y + 4, class: "gives" }, `gives ${cut(text(capability), 27)}`),
      drawn("circle", { cx: x, cy: y, r: 3.5 }),
    );
    for (const index of targets) {
      const target = nodes.get(index);
      const end = target.y + CARD.head / 2;
      const bend = CARD.gapX / 2;
      lines.push(
        drawn("path", {
          class: "edge",
          d: `M${x} ${y} C${x + bend} ${y} ${target.x - bend} ${end} ${target.x - 9} ${end}`,
        }),
        drawn("path", { class: "tip", d: `M${target.x - 10} ${end - 5} L${target.x - 1} ${end} L${target.x - 10} ${end + 5} Z` }),
      );
    }
  }
  return { lines, words };
}

/** Draw the chains into `host`; nothing where there are none. */
function drawChains(host, rows) {
  const nodes = chainNodes(island.chains);
  if (!nodes.size || nodes.size > MOST_NODES) return;
  assignColumns(nodes);
  tighten(nodes);
  const size = placeNodes(nodes);
  const picture = drawn("svg", {
    viewBox: `0 0 ${size.width} ${size.height}`,
    width: size.width,
    height: size.height,
    role: "group",
    "aria-label": "Attack chains as a graph; the table below says the same in words",
  });
  const drawings = [...nodes.values()].map((node) => arrows(node, nodes));
  picture.append(...drawings.flatMap((each) => each.lines));
  picture.append(...[...nodes.values()].map((node) => card(node, rows[node.index])));
  picture.append(...drawings.flatMap((each) => each.words));
  host.append(picture);
  host.hidden = false;
}
