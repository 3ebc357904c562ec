"""Wherever deals are played the numbers are the same, and whatever breaks there what is done is kept."""

import os
import pickle
import signal
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from typing import Any

import pytest
from distributed import Client, LocalCluster
from workers import Bar, any_legal, broken, cheating

import ninety_nine_kit as kit
from ninety_nine_kit import batch
from ninety_nine_kit.experiment import ExecutorFailedError, compare, run, survey

#: More than three blocks in arrays.
MANY = 3 * batch.BLOCK + 4_000
HEARTS: Any = replace(kit.TRICKS_FR, bid_values=kit.TRICKS_FR.bid_values | {"♥": 3})

#: What is played everywhere: rules, agents, deals.
GAMES: Any = {
    "tricks-fr in arrays": ([kit.TRICKS_FR], "random", MANY),
    "tricks-fr one by one": ([kit.TRICKS_FR], any_legal, 110),
    "paranoia-ru one by one": ([kit.PARANOIA_RU], [any_legal, "simple", any_legal], 110),
    "two games one by one": ([kit.TRICKS_FR, HEARTS], any_legal, 110),
}


def play(name: str, executor: Executor | None = None) -> Any:
    games, agents, deals = GAMES[name]
    return (survey if len(games) == 1 else compare)(*games, games=deals, agents=agents, executor=executor)


def processes(count: int) -> ProcessPoolExecutor:
    """New processes that share nothing with this one, which has threads of its own."""
    return ProcessPoolExecutor(count, mp_context=get_context("spawn"))


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None, silence_logs=50
    ) as started:
        yield started


@pytest.fixture(scope="module")
def dask(cluster: LocalCluster) -> Iterator[Executor]:
    with Client(cluster) as client:
        yield client.get_executor()


@pytest.fixture(scope="module")
def serial() -> dict[str, Any]:
    return {name: play(name) for name in GAMES}


@pytest.mark.parametrize(
    "make",
    [lambda: processes(1), lambda: processes(4), lambda: ThreadPoolExecutor(2)],
    ids=["one process", "four processes", "two threads"],
)
def test_the_numbers_do_not_depend_on_the_workers(make: Callable[[], Executor], serial: dict[str, Any]) -> None:
    with make() as executor:
        for name, alone in serial.items():
            played = play(name, executor)
            assert (played.tally, played.ended, played.games) == (alone.tally, None, alone.plan.deals), name
            assert str(played) == str(alone)


def test_the_numbers_are_the_same_on_a_dask_cluster(dask: Executor, serial: dict[str, Any]) -> None:
    for name, alone in serial.items():
        again = alone.again(dask)
        assert (again.tally, str(again)) == (alone.tally, str(alone)), name


def test_there_are_several_blocks_to_hand_out(serial: dict[str, Any]) -> None:
    assert {len(list(result.plan.blocks())) for result in serial.values()} == {4}


def test_a_dask_worker_may_die_in_the_middle(cluster: LocalCluster, dask: Executor, monkeypatch: Any) -> None:
    """Its blocks are played by the others."""
    [victim, *_] = [worker.pid for worker in cluster.workers.values()]
    bar = Bar(lambda: os.kill(victim, signal.SIGKILL))
    monkeypatch.setattr(run, "progress", bar)
    played = survey(kit.TRICKS_FR, 320, agents=any_legal, executor=dask)
    assert (bar.done, played.ended) == (320, None)
    assert played.tally == survey(kit.TRICKS_FR, 320, agents=any_legal).tally


def failed(call: Callable[[], Any]) -> ExecutorFailedError:
    with pytest.raises(ValueError, match=r"^the executor broke: ") as raised:
        call()
    assert isinstance(raised.value, ExecutorFailedError)
    assert str(raised.value).endswith("Run it again with another executor, or with none.")
    return raised.value


def test_what_was_done_before_a_process_died_is_kept(monkeypatch: Any) -> None:
    with processes(2) as executor:
        bar = Bar(lambda: os.kill(min(executor._processes), signal.SIGKILL))
        monkeypatch.setattr(run, "progress", bar)
        error = failed(lambda: survey(kit.TRICKS_FR, 3_200, agents=any_legal, executor=executor))
    kept = error.result
    assert 32 <= kept.games == bar.done < 3_200
    assert f"; {kept.games} of 3200 deals are done and kept in the error's “result”." in str(error)
    assert "terminated" in str(error)
    assert f"It ended early, after {kept.games} of " in str(kept).replace("\u202f", "")
    assert kept.tally == survey(kit.TRICKS_FR, kept.games, agents=any_legal).tally


def test_with_an_executor_that_is_shut_down_nothing_is_done() -> None:
    executor = ThreadPoolExecutor(1)
    executor.shutdown()
    error = failed(lambda: survey(kit.TRICKS_FR, 40, agents=any_legal, executor=executor))
    assert error.result is None
    assert "cannot schedule new futures after shutdown" in str(error)
    assert "; 0 of 40 deals are done" in str(error)


def test_a_function_that_cannot_be_sent_is_told_apart() -> None:
    with processes(1) as executor:
        error = failed(
            lambda: survey(kit.ADDING_PL, 40, agents=lambda view, rng: view.legal_actions()[0], executor=executor)
        )
        assert error.result is None
        assert "a function made in a notebook cannot be sent to other processes: put it in a file" in str(error)
        assert survey(kit.ADDING_PL, 40, agents=any_legal, executor=executor).games == 40  # it goes on


def test_an_error_of_an_agent_comes_through_from_a_worker(dask: Executor) -> None:
    with processes(1) as pool, ThreadPoolExecutor(1) as threads:
        for executor in (pool, threads, dask):
            with pytest.raises(KeyError, match="my own mistake"):
                survey(kit.ADDING_PL, 40, agents=broken, executor=executor)
            with pytest.raises(kit.IllegalActionError, match="K♠"):
                survey(kit.ADDING_PL, 40, agents=cheating, executor=executor)
            assert survey(kit.ADDING_PL, 40, agents=any_legal, executor=executor).games == 40


class Lazy(Executor):
    """Plays a block when it is asked for it, and notes how many wait; `stop_at` is the block that is interrupted."""

    def __init__(self, stop_at: int = -1) -> None:
        self.given: deque[Future[Any]] = deque()
        self.asked, self.most, self.stop_at = 0, 0, stop_at

    def submit(self, call: Any, /, *args: Any, **named: Any) -> Any:
        executor = self

        class Waiting(Future[Any]):
            def result(self, timeout: float | None = None) -> Any:
                if executor.asked == executor.stop_at:
                    raise KeyboardInterrupt
                assert executor.given.popleft() is self  # they are taken in the order given
                executor.asked += 1
                return call(*args, **named)

        self.given.append(Waiting())
        self.most = max(self.most, len(self.given))
        return self.given[-1]


@pytest.fixture
def small_blocks(monkeypatch: Any) -> None:
    """Of 32 deals in arrays; here only, no other process knows of it."""
    monkeypatch.setattr(batch, "BLOCK", 32)


def test_no_more_blocks_are_given_at_once_than_can_be_kept(small_blocks: None) -> None:
    for blocks, most in ((3, 3), (run.AHEAD, run.AHEAD), (run.AHEAD + 9, run.AHEAD)):
        lazy = Lazy()
        played = survey(kit.ADDING_PL, 32 * blocks, agents="random", executor=lazy)
        assert (played.games, lazy.asked, lazy.most, len(lazy.given)) == (32 * blocks, blocks, most, 0)


def test_what_is_kept_does_not_grow_with_the_deals() -> None:
    for rules in (kit.TRICKS_FR, kit.PARANOIA_RU):
        few, many = (survey(rules, games, agents="random").tally for games in (2_000, 60_000))
        assert set(few.sums) == set(many.sums)
        assert len(pickle.dumps(many)) < 1.5 * len(pickle.dumps(few)) < 20_000


def test_a_stop_calls_back_what_was_given_and_keeps_what_is_done(small_blocks: None) -> None:
    lazy = Lazy(stop_at=3)
    stopped = survey(kit.ADDING_PL, 32 * 20, agents="random", executor=lazy)
    assert (stopped.games, stopped.ended) == (96, "stopped")
    assert stopped.tally == survey(kit.ADDING_PL, 96, agents="random").tally
    assert len(lazy.given) == 17
    assert all(future.cancelled() for future in list(lazy.given)[1:])
