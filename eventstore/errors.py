"""All that can go wrong between a command and the log, on one screen. `Refused` and `Unreadable` are the domain's."""


class StoreError(Exception):
    """The base of all errors below."""


class Unavailable(StoreError):
    """The database cannot be reached now. Nothing was lost; the same request may be sent again."""


class NotFound(StoreError):
    """There is no such thing, or it is none of the caller's business: both look the same from outside."""


class NotInMatch(NotFound):
    """The match is there, and the caller may see it, but not what was asked of it."""


class NoSuchVersion(NotInMatch):
    """The match has not come so far."""

    def __init__(self, wanted: int, newest: int) -> None:
        super().__init__(f"there is no version {wanted}: the newest is {newest}")
        self.version = newest


class Conflict(StoreError):
    """Somebody else appended first. Load again and decide anew."""


class DuplicateCommand(StoreError):
    """This command id was accepted before."""


class KeyReused(StoreError):
    """This command id was accepted before, for another command."""


class Stale(StoreError):
    """The caller decided on a version that is no longer the newest."""

    def __init__(self, version: int) -> None:
        super().__init__(f"the match is at version {version}")
        self.version = version


class NotAllowed(StoreError):
    """The caller's token is unknown, was revoked, or has expired."""


class LacksScope(StoreError):
    """The player may do this, but not with this token."""


class MigrationError(StoreError):
    """The database does not have the schema that this code was written for."""


class CorruptStream(StoreError):
    """A stored stream does not verify."""


class OfLaterRelease(CorruptStream):
    """A stored stream is sound, and of a release that knows more than this one."""


class TooSoon(StoreError):
    """The player has done this too often lately."""

    def __init__(self, text: str, seconds: float) -> None:
        super().__init__(text)
        self.seconds = seconds  # until it can be done again


class NotSigned(StoreError):
    """This server has no key to sign with."""


class TooMany(StoreError):
    """The player has as many of these as are allowed."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


class UnreadablePosition(StoreError):
    """Not a position of the feed."""


class LostPosition(StoreError):
    """A position that the feed does not reach to. The log is not what it was when the position was given out."""


class TooOften(StoreError):
    """Somebody tries again and again. In so many seconds he may once more."""

    def __init__(self, text: str, seconds: int) -> None:
        super().__init__(text)
        self.seconds = seconds
