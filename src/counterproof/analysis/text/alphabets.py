"""Alphabets in which a message can be spelt: Morse, the spelling alphabet of radio, Braille, digits for letters."""

import string

_MORSE = (
    "a .- b -... c -.-. d -.. e . f ..-. g --. h .... i .. j .--- k -.- l .-.. m -- n -. o --- p .--. q --.- r .-. s ... t - "
    "u ..- v ...- w .-- x -..- y -.-- z --.. 0 ----- 1 .---- 2 ..--- 3 ...-- 4 ....- 5 ..... 6 -.... 7 --... 8 ---.. 9 ----."
)
_PAIRS = _MORSE.split(" ")
MORSE: dict[str, str] = dict(zip(_PAIRS[1::2], _PAIRS[::2], strict=True))

_SPELT = (
    "alpha bravo charlie delta echo foxtrot golf hotel india juliett kilo lima mike november oscar papa quebec romeo sierra "
    "tango uniform victor whiskey xray yankee zulu"
)
NATO: dict[str, str] = dict(zip(_SPELT.split(" "), string.ascii_lowercase, strict=True)) | {"alfa": "a", "juliet": "j"}

LEET = str.maketrans("013457@$!|8", "oieastasilb")

_BRAILLE = dict(zip("⠁⠃⠉⠙⠑⠋⠛⠓⠊⠚⠅⠇⠍⠝⠕⠏⠟⠗⠎⠞⠥⠧⠺⠭⠽⠵", string.ascii_lowercase, strict=True))


def braille_letter(sign: str) -> str:
    """The letter of a Braille cell; a blank where it is none."""
    return _BRAILLE.get(sign, " ")
