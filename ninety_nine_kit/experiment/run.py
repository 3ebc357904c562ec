"""Plays the blocks of a plan, here or on an executor's workers, and keeps what is done whatever happens."""

from collections import deque
from collections.abc import Generator
from concurrent.futures import Executor, Future
from contextlib import closing, nullcontext
from os import environ
from typing import Any

from ninety_nine_kit.card import Mistake
from ninety_nine_kit.experiment.count import Tally
from ninety_nine_kit.experiment.play import Plan

#: Blocks given to an executor before the first of them is back; more would only take memory.
AHEAD = 32


class Failure:
    """An error in the play itself, sent back as a value: any other is the executor's."""

    def __init__(self, error: Exception) -> None:
        self.error = error


class ExecutorFailedError(Mistake):
    """An executor broke in the middle; `result` holds what was done before, or None."""

    result: Any = None


def play_block(plan: Plan, *block: int) -> Tally | Failure:
    """What a worker does."""
    try:
        return plan.play(*block)
    except Exception as error:
        return Failure(error)


def run(plan: Plan, executor: Executor | None) -> tuple[Tally, KeyboardInterrupt | ExecutorFailedError | None]:
    """Everything played, in the order of the blocks, and what ended it early, if anything did.

    An interrupt, such as Jupyter's stop button, ends it; so does an executor that breaks. What is done is kept.
    """
    tally = Tally()
    with progress(plan.deals) as bar, closing(_blocks(plan, executor)) as blocks:
        try:
            for block in blocks:
                tally.add(block)
                if bar is not None:
                    bar.update(block.deals)
        except (KeyboardInterrupt, ExecutorFailedError) as ended:
            return tally, ended
    return tally, None


def _blocks(plan: Plan, executor: Executor | None) -> Generator[Tally, None, None]:
    if executor is None:
        for block in plan.blocks():
            yield plan.play(*block)
        return
    waiting: deque[Future[Tally | Failure]] = deque()
    todo = plan.blocks()
    try:
        while True:
            for block in todo:
                waiting.append(_ask(lambda block=block: executor.submit(play_block, plan, *block)))
                if len(waiting) == AHEAD:
                    break
            if not waiting:
                return
            found = _ask(waiting.popleft().result)
            if isinstance(found, Failure):
                raise found.error
            yield found
    finally:
        for future in waiting:
            future.cancel()


def _ask(call: Any) -> Any:
    """Calls the executor; what goes wrong there is told as such."""
    try:
        return call()
    except Exception as error:
        reason = str(error) or type(error).__name__
        if "pickle" in reason.lower():
            reason += (
                "; a function made in a notebook cannot be sent to other processes: put it in a file and import it"
            )
        raise ExecutorFailedError(f"the executor broke: {reason}") from error


def progress(deals: int) -> Any:
    """A bar that shows itself after two seconds, where tqdm is installed. TQDM_DISABLE=1 holds in notebooks, too."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return nullcontext()
    off = environ.get("TQDM_DISABLE", "0") not in ("", "0")
    return tqdm(total=deals, delay=2, leave=False, unit_scale=True, unit=" games", disable=off)
