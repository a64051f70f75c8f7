"""Where the embedded servers live, and as whom they run.

Their folders belong to them alone (0700). PostgreSQL refuses to run as root: started by root, the servers run as a user
of their own. Nothing that exists is opened for that user. Where it cannot reach the data folder or the programs, these
go to a system folder instead.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.metadata
import logging
import os
import pathlib
import pwd
import shutil
import stat
import subprocess
import tempfile
import time
from typing import Final, NamedTuple

from eventstore.processes import kill_servers_in

log = logging.getLogger("parlor.housing")

SYSTEM: Final = pathlib.Path("/var/lib/parlor")
ACCOUNT: Final = "parlor-servers"
OURS: Final = frozenset({"lock", "postgres", "valkey", "metrics", "servers", "running"})  # what a data folder holds
ELSEWHERE: Final = "servers"  # the link in the data folder, if the servers live in the system folder
LONGEST_SOCKET: Final = 100  # bytes: macOS allows 103, Linux 107


class HousingError(Exception):
    """The embedded servers have no place to live in. The text says why."""


class Account(NamedTuple):
    """The user that the servers run as."""

    name: str
    uid: int
    gid: int


def as_root() -> bool:
    return os.geteuid() == 0


def account_of(folder: pathlib.Path) -> Account | None:
    """The user to run a server in this folder; nobody else than us unless we are root.

    A folder that has been some user's stays his, such as the data of an earlier version.
    """
    if not as_root():
        return None
    for path in (folder.parent, folder):
        with contextlib.suppress(KeyError, FileNotFoundError):
            if (uid := path.stat().st_uid) != 0:
                return _account(pwd.getpwuid(uid))
    return _own_account()


def _account(entry: pwd.struct_passwd) -> Account:
    return Account(entry.pw_name, entry.pw_uid, entry.pw_gid)


def _own_account() -> Account:
    command = ["useradd", "--system", "--no-create-home", "--home-dir", "/", "--shell", "/usr/sbin/nologin", ACCOUNT]
    said = ""
    for _ in range(20):
        with contextlib.suppress(KeyError):
            return _account(pwd.getpwnam(ACCOUNT))
        try:
            said = subprocess.run(command, capture_output=True, text=True, check=False).stderr.strip()
        except FileNotFoundError:
            break
        time.sleep(0.1)  # another program may hold the list of users
    raise HousingError(
        f"PostgreSQL does not run as root, and the user {ACCOUNT} cannot be added {f'({said})' if said else ''}: "
        "start Parlor as an ordinary user, or name servers of your own"
    )


def can_reach(account: Account, path: pathlib.Path) -> bool:
    """Whether this user may pass into a folder, or run a program. The system itself is asked."""
    command = ["/bin/sh", "-c", '[ -x "$0" ]', str(path)]
    done = subprocess.run(
        command, user=account.uid, group=account.gid, extra_groups=[], cwd="/", capture_output=True, check=False
    )
    return done.returncode == 0


def private(folder: pathlib.Path, account: Account | None) -> pathlib.Path:
    """A folder that belongs to the servers, with all that is in it, and is closed to everybody else."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if stat.S_IMODE(folder.stat().st_mode) != 0o700:
        folder.chmod(0o700)
    if account is not None and folder.stat().st_uid != account.uid:
        give(folder, account)
    return folder


def give(folder: pathlib.Path, account: Account) -> None:
    for where, folders, files in os.walk(folder):
        for name in (*folders, *files):
            os.chown(os.path.join(where, name), account.uid, account.gid, follow_symlinks=False)
    os.chown(folder, account.uid, account.gid)


# ── The data ────────────────────────────────────────────────────────────────────────────────────────────────────


def data_folder(data: pathlib.Path) -> pathlib.Path:
    """The data folder, made if it is missing. One that holds nothing but ours is closed to others."""
    data = data.resolve()
    data.parent.mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(FileExistsError):
        data.mkdir(mode=0o700)
    if _holds_ours_alone(data):
        with contextlib.suppress(PermissionError):
            data.chmod(0o700)
    return data


def _holds_ours_alone(data: pathlib.Path) -> bool:
    return {path.name.partition(".")[0] for path in data.iterdir()} <= OURS


def home(data: pathlib.Path, system: pathlib.Path = SYSTEM) -> pathlib.Path:
    """The folder in which the servers have theirs: the data folder, if they can reach it."""
    data = data_folder(data)
    link = data / ELSEWHERE
    if link.is_symlink() and link.is_dir():
        log.info("the servers' data are in %s", link.resolve())
        return link.resolve()
    account = account_of(data / "postgres")
    if account is None:
        return data
    if can_reach(account, data.parent) and _holds_ours_alone(data):
        os.chown(data, account.uid, account.gid)
        return data
    if can_reach(account, data):
        return data
    return _move(data, account, system)


def _common(folder: pathlib.Path) -> None:
    """A folder that all may pass, whatever the mask of our process is; one that exists is left as it is."""
    if not folder.exists():
        _common(folder.parent)
        with contextlib.suppress(FileExistsError):
            folder.mkdir()
            folder.chmod(0o755)


def _move(data: pathlib.Path, account: Account, system: pathlib.Path) -> pathlib.Path:
    """A folder of the system for the servers, with what they have in the data folder."""
    _common(system)
    if not can_reach(account, system):
        raise HousingError(f"the user {account.name} can reach neither {data} nor {system}")
    name = hashlib.sha256(os.fsencode(data)).hexdigest()[:12]
    folder = pathlib.Path(tempfile.mkdtemp(prefix=f"{name}-", dir=system))
    if (data / "postgres").exists():
        kill_servers_in(data / "postgres")  # one that an earlier version has left behind; its files go with it
        shutil.move(data / "postgres", folder / "postgres")
    private(folder, account)
    link = data / ELSEWHERE
    link.unlink(missing_ok=True)
    link.symlink_to(folder)
    log.warning(
        "%s is closed to %s, the user that the servers run as: their data are in %s", data, account.name, folder
    )
    return folder


# ── The programs ────────────────────────────────────────────────────────────────────────────────────────────────


def programs(
    package: pathlib.Path, wheel: str, program: str, account: Account | None, system: pathlib.Path = SYSTEM
) -> pathlib.Path:
    """The folder of a program in a package that the servers' user can run: the package's own, or that of a copy."""
    if account is None or can_reach(account, package / program):
        return (package / program).parent
    copy = system / "programs" / f"{wheel}-{importlib.metadata.version(wheel)}"
    if not copy.exists():
        _copy(package, copy)
        log.warning(
            "%s is closed to %s, the user that the servers run as: a copy is in %s", package, account.name, copy
        )
    if not can_reach(account, copy / package.name / program):
        raise HousingError(f"the user {account.name} can reach neither {package} nor {copy}")
    return (copy / package.name / program).parent


def _copy(package: pathlib.Path, copy: pathlib.Path) -> None:
    """A package with the libraries that its wheel has put beside it, as a whole or not at all."""
    _common(copy.parent)
    with tempfile.TemporaryDirectory(dir=copy.parent) as half:
        made = pathlib.Path(half) / "programs"
        for source in (package, package.with_name(f"{package.name}.libs")):
            if source.exists():
                shutil.copytree(source, made / source.name, symlinks=True, ignore=shutil.ignore_patterns("*.a", "*.h"))
        for path in (made, *made.rglob("*")):
            if not path.is_symlink():
                path.chmod(0o755 if path.is_dir() or path.stat().st_mode & stat.S_IXUSR else 0o644)
        with contextlib.suppress(OSError):  # another process was faster
            made.rename(copy)


# ── Sockets ─────────────────────────────────────────────────────────────────────────────────────────────────────


def socket_folder(folder: pathlib.Path, name: str, account: Account | None) -> pathlib.Path:
    """A private folder for a socket of this name: the given one, or one with a shorter path."""
    if len(os.fsencode(folder / name)) <= LONGEST_SOCKET:
        return folder
    for parent in dict.fromkeys((tempfile.gettempdir(), "/tmp")):
        reachable = account is None or can_reach(account, pathlib.Path(parent))
        if reachable and len(os.fsencode(parent)) + len(name) + 20 <= LONGEST_SOCKET:
            made = pathlib.Path(tempfile.mkdtemp(prefix="parlor-", dir=parent))  # 0700
            if account is not None:
                os.chown(made, account.uid, account.gid)
            return made
    raise HousingError(f"there is no folder with a path short enough for the socket {name}")
