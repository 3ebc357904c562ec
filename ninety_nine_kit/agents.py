"""Players as functions of what they may see, and a way to let them play.

An agent takes a view (`state.seen_by(seat)`) and a random generator and returns a legal action.
"""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from ninety_nine_kit.adding import AddingState, crossing, total_after
from ninety_nine_kit.card import STRENGTH, Card, Mistake, stream
from ninety_nine_kit.game import Action, Announce, Bid, Give, History, Phase, Play, State
from ninety_nine_kit.rules import AddingRules, Chart
from ninety_nine_kit.tricks import TrickState, best

Agent = Callable[[Any, Random], Action]


def random_agent(view: State, rng: Random) -> Action:
    """Any legal action, all equally likely."""
    legal = view.legal_actions()
    return legal[int(rng.random() * len(legal))]


def first_agent(view: State, rng: Random) -> Action:
    """The first legal action."""
    return view.legal_actions()[0]


def simple_agent(view: State, rng: Random) -> Action:
    """Plays as a beginner with sense would: bids what the hand is worth, keeps the cards that are always safe."""
    if isinstance(view, TrickState):
        return _simple_trick_action(view)
    if isinstance(view, AddingState):
        return _simple_adding_action(view)
    return first_agent(view, rng)


def greedy_agent(view: State, rng: Random) -> Action:
    """Takes as much as it can at once: the highest bid, premium and card, the lay that makes the highest total."""
    return max(view.legal_actions(), key=lambda action: _size(view, action))


AGENTS: Chart[str, Agent] = Chart(
    {"random": random_agent, "first": first_agent, "simple": simple_agent, "greedy": greedy_agent}
)


def find_agent(agent: str | Agent) -> Agent:
    """An agent by its name, or as it is given."""
    if callable(agent):
        return agent
    if agent not in AGENTS:
        raise Mistake(f"no agent {agent!r}; there are: {', '.join(AGENTS)}, or give a function")
    return AGENTS[agent]


def find_agents(agents: Mapping[int, str | Agent] | Sequence[str | Agent], players: int) -> dict[int, Agent]:
    """Agents by seat, from a mapping or from a list with one for each seat."""
    if not isinstance(agents, Mapping):
        if len(agents) != players:
            raise Mistake(f"{len(agents)} agents for {players} seats: give one for all or one for each")
        agents = dict(enumerate(agents))
    wrong = [seat for seat in agents if seat not in range(players)]
    if wrong:
        raise Mistake(f"no seat {wrong[0]!r} for an agent: the seats are 0 to {players - 1}")
    return {seat: find_agent(agent) for seat, agent in agents.items()}


def ask(agent: Agent, state: State, step: int) -> Action:
    """What the agent does in the seat to act. Its generator is made from the seed, the seat and the step."""
    assert state.to_act is not None
    return agent(state.seen_by(state.to_act), stream(str(state.seed), "agent", state.to_act, step))


def playout(
    state: State,
    agents: str | Agent | Sequence[str | Agent] | Mapping[int, str | Agent] = "random",
    max_actions: int = 10_000,
) -> History:
    """Lets agents play to the end of the match, or for `max_actions`; one for all seats, or one for each.

    >>> from ninety_nine_kit.dealing import deal
    >>> from ninety_nine_kit.presets import ADDING_RU
    >>> playout(deal(ADDING_RU, seed=99), "simple").state.phase
    <Phase.MATCH_OVER: 'match over'>
    """
    if isinstance(agents, str) or callable(agents):
        agents = [agents] * state.players
    seats = find_agents(agents, state.players)
    if len(seats) < state.players:
        raise Mistake(f"{len(seats)} agents for {state.players} seats: give one for all or one for each")
    history = History(state)
    while history.state.to_act is not None and history.step < max_actions:
        history.play(ask(seats[history.state.to_act], history.state, history.step))
    return history


def _size(view: Any, action: Action) -> tuple[bool, int]:
    """What a greedy player likes more is greater: first what keeps to the limit, then more tricks, totals, points."""
    rules = view.rules
    match action:
        case Bid(cards):
            return True, rules.bid_value(cards)
        case Announce(premium):
            return True, -1 if premium is None else rules.premiums.index(premium)
        case Play((card,)) if isinstance(view, TrickState):
            return True, rules.ranks.index(card.rank)
        case Play(cards, effect):
            total = total_after(rules, view.total, effect or rules.rows(cards)[0])
            return total <= rules.limit or rules.over_limit == "allowed", total
    return True, 0


def _strength(view: TrickState, card: Card) -> int:
    below_top = len(view.rules.ranks) - 1 - view.rules.ranks.index(card.rank)
    strength = STRENGTH[below_top] if below_top < len(STRENGTH) else 5
    return min(strength + 35, 100) if card.suit == view.trump else strength


def _simple_trick_action(view: TrickState) -> Action:
    assert view.to_act is not None
    if view.phase is Phase.ANNOUNCE:
        return Announce(None)
    if view.phase is Phase.BID:
        strength = {card: _strength(view, card) for card in view.hands[view.to_act]}
        whole = sum(strength.values())

        def misfit(bid: Any) -> int:
            return abs(100 * view.rules.bid_value(bid.cards) - whole + sum(strength[card] for card in bid.cards))

        return min(view.legal_actions(), key=misfit)
    legal = view.legal_actions()
    if not isinstance(legal[0], Play):
        return legal[0]
    cards = sorted((play.cards[0] for play in legal if isinstance(play, Play)), key=lambda c: _strength(view, c))
    return Play((_trick_card(view, cards),))


def _trick_card(view: TrickState, cards: list[Card]) -> Card:
    """From cards in order of strength: one that takes the trick while tricks are needed, else one that does not."""
    seat = view.to_act or 0
    bid = view.bid_value(seat)
    wanted = 1 if bid is None else bid - view.won[seat]
    takes = [card for card in cards if best((*view.trick, card), view.trump, view.rules.ranks) == len(view.trick)]
    if wanted > 0:
        last = len(view.trick) == view.players - 1
        return takes[0 if last else -1] if takes else cards[0]
    if not view.trick:
        return cards[0]
    loses = [card for card in cards if card not in takes]
    return loses[-1] if loses else cards[0]


def _simple_adding_action(view: AddingState) -> Action:
    legal = view.legal_actions()
    if view.phase is Phase.GIVE:
        return max(legal, key=lambda give: _burden(view.rules, give.card) if isinstance(give, Give) else 0)
    if view.phase is not Phase.PLAY:
        return legal[0]
    plays = [play for play in legal if isinstance(play, Play)]
    return max(plays, key=lambda play: _worth(view, play))


def _burden(rules: AddingRules, card: Card) -> float:
    """How much a card in hand costs when the deal ends; positive is bad."""
    points = rules.penalties.get(card, 0)
    return points if rules.objective == "low" else -points


def _worth(view: AddingState, play: Play) -> tuple[float, ...]:
    """The better lay has the greater worth: points first, then keeping what is always safe, then a high total."""
    rules = view.rules
    effect = play.effect or rules.rows(play.cards)[0]
    total = total_after(rules, view.total, effect)
    earned = crossing(rules, view.total, total, effect)
    gain: float = earned.borders + earned.cards + earned.levy * view.players
    near = sum(milestone.points for milestone in rules.milestones if total <= milestone.at < total + 10)
    gain -= near / 2
    gain = (-gain if rules.objective == "low" else gain) + sum(_burden(rules, card) for card in play.cards) / 4
    always_safe = [card for card in play.cards if _is_always_safe(rules, card)]
    return total <= rules.limit or rules.over_limit == "allowed", gain, -len(always_safe), total


def _is_always_safe(rules: AddingRules, card: Card) -> bool:
    return any(total_after(rules, rules.limit, row) <= rules.limit for row in rules.rows((card,)))
