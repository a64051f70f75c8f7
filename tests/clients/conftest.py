"""`playing.py` is run beside the client that `make clients` generates, and cannot be imported anywhere else."""

collect_ignore = ["playing.py"]
