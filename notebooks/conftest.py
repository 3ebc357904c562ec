"""What a lesson shows is compared strictly, so there must be no bar that appears only where the machine is slow."""

import os

os.environ["TQDM_DISABLE"] = "1"
