import api  # noqa: F401 - bots think here as they do in a worker, on one core
