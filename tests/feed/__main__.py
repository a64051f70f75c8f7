"""`make feed`: a million events by sixteen writers, across restarts and a move to another cluster."""

from __future__ import annotations

import pathlib
import shutil
import tempfile
import time

import click

from tests.feed.running import run


@click.command()
@click.option("--events", default=1_000_000, show_default=True, type=click.IntRange(1000))
def main(events: int) -> None:
    folder = pathlib.Path(tempfile.mkdtemp(prefix="parlor-feed-", dir="/tmp"))
    folder.chmod(0o755)
    began = time.perf_counter()
    try:
        world, reader = run(folder, events, batch=40)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    took = time.perf_counter() - began
    missed = sum(reader.kept.values()) - sum(reader.seen.values())
    lost = [match_id for match_id, version in world.written.items() if reader.seen.get(match_id, 0) < version]
    click.echo(f"{sum(reader.seen.values()):,} events of {len(reader.seen)} matches read in {took:.0f} s")
    click.echo(f"missed: {missed}, matches with lost events: {len(lost)}, out of order: {len(reader.objections)}")
    for objection in reader.objections[:5]:
        click.echo(objection)
    if missed or lost or reader.objections:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
