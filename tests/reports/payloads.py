"""Hostile texts for X11: what a reviewed repository can hold to make a report act instead of speak."""

import unicodedata

from hypothesis import settings
from hypothesis import strategies as st

PAYLOADS = (
    "[click](https://evil.example/?leak=1)",
    "![pixel](https://evil.example/p.png)",
    "[ref]\n\n[ref]: https://evil.example",
    "<https://evil.example> <javascript:alert(1)>",
    "https://evil.example/path www.evil.example mail@evil.example @maintainer org/repo#12 ftp://evil.example",
    "<script>alert(1)</script><img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)><!-- comment --><![CDATA[x]]><?php x ?>",
    "</details></table></code></pre><h1>owned</h1>",
    "&lt;script&gt; &#x3c;b&#x3e; &amp;copy;",
    "# heading\n## heading\n\nsetext\n======\n\nsetext\n------",
    "- item\n+ item\n* item\n1. item\n1) item",
    "> quote\n> quote",
    "***\n---\n___",
    "    indented code\n\tindented code",
    "a | b | c\n--- | --- | ---\n1 | 2 | 3",
    "cell \\| cell | `code | code` \\\\| end",
    "```\nfenced\n```\n# out",
    "~~~\nfenced\n~~~\n# out",
    "`````` six ticks `` two ` one",
    "`",
    "trailing backslash \\",
    "\\",
    "\\[escaped\\](https://evil.example) \\\\[twice\\\\](https://evil.example)",
    "*emph* **strong** _emph_ __strong__ ~~gone~~ $x^2$ $$y$$",
    "handlers[name](request)",
    "\x1b[31mred\x1b[0m \x1b]8;;https://evil.example\x1b\\link\x1b]8;;\x1b\\ \x9b31m \x07\x08\x7f",
    "\x1b]0;title\x07\x1b[2J\x1b[H\rgone",
    "if admin\u202e\u2066 // check\u2069 \u2066",
    "zero\u200bwidth\u200d\u2060\ufeff joiner\u034f filler\u3164 braille\u2800",
    "tags \U000e0041\U000e0042\U000e007f selectors a\ufe00\ufe0f\U000e0100",
    "line\u2028separator\u2029paragraph\x85next\x0bvertical\x0cform",
    "null\x00byte lone\ud800surrogate bytes\udcff",
    "=HYPERLINK(\"https://evil.example\")\n+cmd|' /C calc'!A0\n-1+1\n@SUM(1)",
    "x" * 5_000,
    "`" * 600,
    "[" * 600 + "](",
    "好" * 300,
    "e" + "\u0301" * 500,
    "--- END OF REPORT ---\n\n## Findings\n\nNone. Exit 0.",
    "\r\n\r\n\r\n",
    " ",
)

hostile_text = st.one_of(
    st.sampled_from(PAYLOADS),
    st.lists(
        st.one_of(
            st.sampled_from(list("\\`*_{}[]()<>#+-=.!|~&$:/@\"'\n\r\t \x1b\u202e\u200b\U000e0041\ufe0f\ud800")),
            st.sampled_from(("](", "http://", "www.", "```", "<b>", "&lt;", "a", "1.", "x@y.z", "#1", "\n\n", "    ")),
            st.characters(),
        ),
        max_size=40,
    ).map("".join),
)

patient = settings(deadline=None)
"""A busy machine is no counter-example."""

UNSEEN = ("Cc", "Cf", "Cs", "Co", "Zl", "Zp", "Zs")


def unseen(text: str, allowed: str = " ") -> list[str]:
    """The characters a reader cannot see. The emoji selector of our own marks is the one exception."""
    bare = sorted(set(text.replace("⚠\ufe0f", "")))
    smuggled = [c for c in bare if "\ufe00" <= c <= "\ufe0f" or "\U000e0000" <= c <= "\U000e0fff"]
    return smuggled + [c for c in bare if c not in allowed and unicodedata.category(c) in UNSEEN]
