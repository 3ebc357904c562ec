"""A lesson's output is compared strictly, so it must not hold a bar that shows itself only where the machine is slow."""

import os

os.environ["TQDM_DISABLE"] = "1"
