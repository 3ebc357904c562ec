"""A state, a view or rules as plain text and as HTML, drawn as given: whoever wants a view asks for it first.

Both are made from the same blocks, lines and grids. Text from outside is escaped in `tag` and nowhere else.
"""

from ninety_nine_kit.adding import AddingState
from ninety_nine_kit.card import Suit, card_order, listed
from ninety_nine_kit.game import Cards, Phase, SheetRow, State
from ninety_nine_kit.narration import number, seat_name, translator, working
from ninety_nine_kit.rules import AddingRules, Rules, TrickRules
from ninety_nine_kit.show.blocks import Block, Cell, Grid, Names, Say, blocks_html, blocks_text
from ninety_nine_kit.show.rule_sheet import adding_rules, trick_rules
from ninety_nine_kit.tricks import TrickState


def text(x: State | Rules, lang: str = "en", names: Names = None) -> str:
    """A state, view or rules as plain text."""
    return blocks_text(blocks(x, lang, names))


def html(x: State | Rules, lang: str = "en", names: Names = None) -> str:
    """A state, view or rules as HTML with inline styles only, which an untrusted notebook still shows."""
    return blocks_html(blocks(x, lang, names))


def blocks(x: State | Rules, lang: str = "en", names: Names = None) -> list[Block]:
    say = translator(lang)
    if isinstance(x, TrickRules):
        return trick_rules(x, say)
    if isinstance(x, AddingRules):
        return adding_rules(x, say)
    sheet = [sheet_grid(x, lang, names)] if x.sheet else []
    return [headline(x, lang), _seats(x, say, names), *_middle(x, say, names), *sheet]


def sorted_hand(hand: Cards) -> Cards:
    """A hand as it is held: by suit in the order ♣ ♥ ♠ ♦ (what they are worth in a bid, red between black)."""
    held = {suit: index for index, suit in enumerate((Suit.CLUBS, Suit.HEARTS, Suit.SPADES, Suit.DIAMONDS))}
    return tuple(sorted(hand, key=lambda card: (held.get(card.suit, 4), card_order(card))))


def spelled(rules: TrickRules, cards: Cards) -> str:
    """A bid as a sum: `♣3 + ♥2 + ♠1 = 6`."""
    parts = [f"{card.suit}{number(rules.bid_values[card.suit])}" for card in sorted_hand(cards)]
    return f"{' + '.join(parts)} = {number(rules.bid_value(cards))}"


def direction_word(direction: int, say: Say) -> str:
    return say("clockwise ↻") if direction > 0 else say("counter-clockwise ↺")


def headline(state: State, lang: str = "en") -> str:
    """Which game, which deal, and what counts for everybody."""
    say = translator(lang)
    rules = state.rules
    parts = [say(rules.title), say("deal {deal}").format(deal=state.deal_number)]
    if isinstance(state, TrickState):
        if has_games(state):
            parts.insert(1, say("game {game}").format(game=state.game_number))
        parts.append(say("trump {suit}").format(suit=state.trump) if state.trump else say("no trump"))
    elif isinstance(state, AddingState):
        parts.append(say("total {total} of {limit}").format(total=number(state.total), limit=state.rules.limit))
        parts.append(direction_word(state.direction, say))
    return " · ".join(parts)


def has_points(state: State) -> bool:
    return state.rules.counts_points


def seat_marks(state: State, seat: int, say: Say) -> list[str]:
    """What a seat is just now, in words: to act, dealer, out, winner, premium."""
    marks = [say("to act")] * (seat == state.to_act) + [say("dealer")] * (seat == state.dealer)
    if isinstance(state, TrickState) and state.premium and state.premium[0] == seat:
        marks.append(say(state.premium[1].name))
    marks += [say("out")] * (not state.is_in(seat)) + [say("winner")] * (seat in state.winners)
    return marks


def _seats(state: State, say: Say, names: Names) -> Grid:
    head, columns = [say("Seat"), say("Hand")], []
    for seat in range(state.players):
        marks = seat_marks(state, seat, say)
        name = seat_name(seat, names) + (f" ({', '.join(marks)})" if marks else "")
        columns.append([name, sorted_hand(state.hands[seat]), *_counts(state, seat)])
    if isinstance(state, TrickState):
        head += [say("Bid")] * bool(state.rules.bid_cards)
        head += [say("Tricks"), say("Points")] + [say("Games won")] * has_games(state)
    elif isinstance(state, AddingState):
        head += [say("Lives")] * (state.rules.over_limit != "allowed")
        head += [say("This deal"), say("Points")] * has_points(state)
    return Grid(say("Table"), tuple(head), tuple(map(tuple, columns)))


def _counts(state: State, seat: int) -> list[Cell]:
    if isinstance(state, TrickState):
        value, bid = state.bid_value(seat), sorted_hand(state.bids[seat])
        shown: Cell = f"{listed(bid)} = {value}" if value is not None and bid else bid
        games = [number(state.games_won[seat])] * has_games(state)
        bids = [shown] * bool(state.rules.bid_cards)
        return [*bids, number(state.won[seat]), number(state.scores[seat]), *games]
    counts: list[Cell] = []
    if isinstance(state, AddingState):
        counts += [number(state.lives[seat])] * (state.rules.over_limit != "allowed")
        if has_points(state):
            counts += [number(sum(state.earned[seat])), number(state.scores[seat])]
    return counts


def _middle(state: State, say: Say, names: Names) -> list[Block]:
    lines: list[Block] = []
    if isinstance(state, TrickState):
        last = state.tricks[-1] if state.tricks else None
        if state.trick:
            lines.append(_said_cards(say("Trick"), state.leader, state.trick, state, names))
        elif last:
            lines.append(_said_cards(say("Last trick"), last.leader, last.cards, state, names))
    elif isinstance(state, AddingState):
        top = state.pile[-1] if state.pile else None
        lines.append(
            say("Pile: {top} on top, cards: {pile}. Stock: {stock}.").format(
                pile=len(state.pile), top=top or say("none"), stock=len(state.stock)
            )
        )
        if state.rules.ante:
            lines.append(say("Pot: {pot}").format(pot=state.pot))
    return [*lines, todo(state, say, names)]


def _said_cards(what: str, leader: int, cards: Cards, state: State, names: Names) -> str:
    played = (f"{seat_name((leader + place) % state.players, names)} {card}" for place, card in enumerate(cards))
    return f"{what}: {', '.join(played)}"


def todo(state: State, say: Say, names: Names) -> str:
    """Who has to do what now."""
    asks = {
        Phase.BID: say("{seat}: lay {count} cards aside for the bid."),
        Phase.ANNOUNCE: say("{seat}: announce a premium, or pass."),
        Phase.PLAY: say("{seat}: play a card."),
        Phase.GIVE: say("{seat}: choose a card to pass to the next player."),
        Phase.DEAL_OVER: say("The deal is over. {seat} deals the next one."),
        Phase.MATCH_OVER: say("The match is over. Winner: {winners}"),
    }
    ask = asks[state.phase]
    if isinstance(state, AddingState) and state.is_stuck():
        ask = say("{seat}: no card is safe now. Lay any one; it will not count, and it costs a life.")
        if state.lives[state.to_act or 0] == 1:
            ask = say("{seat}: no card is safe now. Lay any one; it will not count, and it costs the last life.")
    return ask.format(
        seat="" if state.to_act is None else seat_name(state.to_act, names),
        count=getattr(state.rules, "bid_cards", 0),
        winners=", ".join(seat_name(seat, names) for seat in state.winners),
    )


def has_games(state: State) -> bool:
    """Whether a match is more than one game."""
    return isinstance(state, TrickState) and (state.rules.games or 2) > 1


def sheet_grid(state: State, lang: str = "en", names: Names = None) -> Grid:
    """The score sheet with its working: a row per finished deal, and the points after each game."""
    say = translator(lang)
    rows: list[tuple[Cell, ...]] = []
    for place, row in enumerate(state.sheet):
        rows.append((number(row.deal), *(_sheet_cell(state, row, seat, say) for seat in range(state.players))))
        last = place == len(state.sheet) - 1
        if has_points(state) and (last or state.sheet[place + 1].game > row.game):
            played = [other.points for other in state.sheet if other.game == row.game]
            points = state.scores if last else tuple(map(sum, zip(*played, strict=True)))
            label = say("Points, game {game}").format(game=row.game) if has_games(state) else say("Points")
            rows.append((label, *map(number, points)))
    head = (say("Deal"), *(seat_name(seat, names) for seat in range(state.players)))
    return Grid(say("Score sheet"), head, tuple(rows))


def _sheet_cell(state: State, row: SheetRow, seat: int, say: Say) -> str:
    score = working(row.parts[seat]) if has_points(state) else ""
    if row.bids and row.bids[seat] is not None:
        made = "✓" if row.bids[seat] == row.tricks[seat] else "✗"
        bid = say("bid {bid}, took {tricks} {made}")
        score = f"{bid.format(bid=row.bids[seat], tricks=row.tricks[seat], made=made)}: {score}"
    if row.lives and getattr(state.rules, "over_limit", "") != "allowed":
        lives = say("lives left: {lives}").format(lives=row.lives[seat])
        score = f"{lives} · {score}" if score else lives
    return score
