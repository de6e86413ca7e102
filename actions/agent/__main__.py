"""``python -m actions.agent`` is ``sayso agent``."""

import sys

from actions.agent.main import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
