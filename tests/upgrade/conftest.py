"""The script that made the dump belongs to 0.1.0 and is not imported by later code."""

collect_ignore = ["dump_world.py", "make_dump.py"]
