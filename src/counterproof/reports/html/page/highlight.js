// Colours one piece of code by its tokens. A guess for the eye, never a judgement: what is not recognised stays plain.

const HASH_COMMENTS = /\.(py|pyi|rb|sh|bash|ya?ml|toml|cfg|ini|conf|env|tf|r|pl)$/i;
const WORDS = new Set(
  ("and as assert async await break case catch class const continue def default defer del do elif else elseif end enum except " +
    "export extends extern final finally fn for foreach from func function global go if implements import in instanceof " +
    "interface is lambda let match module namespace new nil None nonlocal not null of or package pass private protected public " +
    "raise range require return select self static struct super switch this throw throws trait True False true false try type " +
    "typeof undefined unless until use using var void when where while with yield").split(" "),
);

// Each alternative consumes at least one character and none repeats inside another: linear in the length of the code.
const STRING = String.raw`(?:[rbfuRBFU]{1,2})?(?:"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?)|` + "`(?:[^`\\\\]|\\\\.)*`?";
const NUMBER = String.raw`\b\d[\w.]*`;
const NAME = String.raw`[A-Za-z_$][\w$]*`;
const PATTERNS = {
  hash: new RegExp(`(?<comment>#[^\\n]*)|(?<string>${STRING})|(?<number>${NUMBER})|(?<name>${NAME})`, "g"),
  slash: new RegExp(`(?<comment>//[^\\n]*)|(?<string>${STRING})|(?<number>${NUMBER})|(?<name>${NAME})`, "g"),
};

function tokenClass(groups, code, end) {
  if (groups.comment !== undefined) return "c";
  if (groups.string !== undefined) return "s";
  if (groups.number !== undefined) return "n";
  if (WORDS.has(groups.name)) return "k";
  return code[end] === "(" ? "f" : "";
}

/** The text of `node` with spans around what was recognised; nothing here parses HTML. */
function highlight(node, path) {
  const code = node.textContent;
  const pattern = HASH_COMMENTS.test(path) ? PATTERNS.hash : PATTERNS.slash;
  const pieces = [];
  let done = 0;
  for (const match of code.matchAll(pattern)) {
    const end = match.index + match[0].length;
    const style = tokenClass(match.groups, code, end);
    if (!style) continue;
    const span = document.createElement("span");
    span.className = style;
    span.textContent = match[0];
    pieces.push(code.slice(done, match.index), span);
    done = end;
  }
  node.replaceChildren(...pieces, code.slice(done));
}
