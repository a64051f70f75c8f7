"""What people may write where others read it: names, labels and seeds."""

from __future__ import annotations

import re
import unicodedata
from typing import Any, Final
from urllib.parse import urlsplit

from marshmallow import ValidationError, fields, validate

from eventstore.departures import CLOSED, DELETED
from eventstore.operators import OPERATOR

# Characters of visible kinds that show nothing: fillers, blanks, joiners and selectors of variants.
BLANK: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0\U0001d159") | {
    chr(code) for code in (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))
}
# What makes one picture of several characters, or of a sign a picture: seen where it stands in one, and nowhere else.
_PICTURE: Final = "\u2190-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
PICTURED: Final = re.compile(
    f"(?<=[{_PICTURE}#*0-9\u00a9\u00ae\u203c\u2049\u2122])\ufe0f|(?<=[{_PICTURE}\ufe0f])\u200d(?=[{_PICTURE}])"
)
# Letters of other alphabets that pass for those of the word, once accents, case and width are put aside.
LOOKS_LIKE: Final = str.maketrans(
    {**dict.fromkeys("вβʙьƀɓᏼ8", "b"), **dict.fromkeys("оοσօøᴏ0", "o"), **dict.fromkeys("тτᴛŧᎢ", "t")}
)
# The same for the words below. `i`, `l` and 1 are one letter here.
LOOKS_LIKE_TAKEN: Final = LOOKS_LIKE | str.maketrans(
    {
        **dict.fromkeys("аαɑᴀ", "a"),
        **dict.fromkeys("сϲᴄ", "c"),
        **dict.fromkeys("ԁɖđᴅ", "d"),
        **dict.fromkeys("еєεɛɇᴇ3", "e"),
        **dict.fromkeys("іıιɩӏłʟi1|!", "l"),
        **dict.fromkeys("рρᴘ", "p"),
        **dict.fromkeys("гʀ", "r"),
        **dict.fromkeys("ѕꜱ5", "s"),
        **dict.fromkeys("уүγʏ", "y"),
    }
)
BEGINS_WITH_BOT: Final = re.compile(r"bot(?![^\W\d_])")


class Whole(validate.Regexp):
    """The pattern has to fit the whole text. In Python `$` also fits before a line break at the end."""

    def __call__(self, value: Any) -> Any:
        if self.regex.fullmatch(value) is None:
            raise ValidationError(self._format_error(value))
        return value


def seen(character: str) -> bool:
    """Whether a reader can tell that it is there, and it leaves the direction of the text alone."""
    kind = unicodedata.category(character)
    return character == " " or (kind[0] not in "CZ" and character not in BLANK)


def readable(text: str) -> str:
    if not all(map(seen, text)):
        raise ValidationError("must not hold control characters, or characters that cannot be seen.")
    if text != text.strip():
        raise ValidationError("must not begin or end with a space.")
    return text


def readable_with_pictures(text: str) -> str:
    """
    >>> for text in ("I \u2665\ufe0f you", "\U0001f469\u200d\U0001f680", "1\ufe0f\u20e3"):
    ...     assert readable_with_pictures(text)
    """
    readable(PICTURED.sub("", text))
    return text


def bare(text: str) -> str:
    """Without accents, case and width."""
    return "".join(c for c in unicodedata.normalize("NFKD", text) if unicodedata.category(c)[0] != "M").casefold()


def no_bot(name: str) -> str:
    """Bots are called `Bot 1 (random)`: nobody else may pass for one."""
    if BEGINS_WITH_BOT.match(bare(name).translate(LOOKS_LIKE)):
        raise ValidationError("must not begin with the word Bot, as the names of bots do.")
    return name


def letters(name: str) -> str:
    """
    >>> letters("Deleted  Player.") == letters("deletedplayer") == letters("ԁеɩеtеԁ рⅼауеr")
    True
    """
    return "".join(c for c in bare(name).translate(LOOKS_LIKE_TAKEN) if c.isalnum())


TAKEN: Final = frozenset(map(letters, (DELETED, CLOSED, OPERATOR)))


def nobody_gone(name: str) -> str:
    """Those who are no more are all called the same: nobody else may pass for one."""
    if letters(name) in TAKEN:
        raise ValidationError("must not be the name of those who are gone, or the operator's.")
    return name


class Text(fields.String):
    """A text in the one form that looks and compares the same everywhere."""

    def _deserialize(self, *args: Any, **more: Any) -> Any:
        return unicodedata.normalize("NFC", super()._deserialize(*args, **more))


NAME: Final = validate.And(validate.Length(min=1, max=40), readable, no_bot, nobody_gone)
REASON: Final = validate.And(validate.Length(min=1, max=500), readable)
LABEL: Final = validate.And(validate.Length(max=40), readable)
CLIENT_SEED: Final = Whole(r"^[A-Za-z0-9_-]{0,64}$", error="must be at most 64 letters, digits, - or _.")
CODE: Final = Whole(r"^[A-Za-z0-9_-]{1,100}$", error="is not the code of an invitation.")
NOTE: Final = validate.And(validate.Length(min=1, max=280), readable_with_pictures)
CURSOR: Final = Whole(r"^[A-Za-z0-9_=-]{1,200}$")
SECRET: Final = Whole(r"^[!-~]{16,200}$", error="must be 16 to 200 printable ASCII characters without spaces.")


def web_address(text: str) -> str:
    """An address that something can be sent to. Where a name leads is looked at when it is sent."""
    try:
        parts = urlsplit(text)
        fits = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        fits = False
    if not fits or len(text) > 500 or not text.isprintable() or " " in text:
        raise ValidationError("must be an address that begins with http:// or https://, of 500 characters at most.")
    if parts.username is not None or parts.password is not None or parts.fragment:
        raise ValidationError("must have neither a name, a password nor a fragment.")
    return text
