"""`python -m domain.audit FILE`."""

import sys

from domain.audit.verifying import verify


def main() -> int:
    if len(sys.argv) != 2:
        print("usage: python -m domain.audit FILE", file=sys.stderr)
        return 2
    try:
        with open(sys.argv[1], "rb") as file:
            report = verify(file)
    except OSError as error:
        print(f"cannot read {sys.argv[1]}: {error.strerror}", file=sys.stderr)
        return 2
    print("\n".join(report.lines()))
    return 1 if report.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
