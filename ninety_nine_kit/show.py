"""A state, a view or rules as plain text and as HTML, drawn as given: whoever wants a view asks for it first.

Both are made from the same blocks, lines and grids. Text from outside is escaped in `tag` and nowhere else.
"""

from collections.abc import Callable, Sequence
from html import escape
from typing import NamedTuple

from ninety_nine_kit.adding import AddingState
from ninety_nine_kit.card import BACK, Card, Suit, card_order, listed
from ninety_nine_kit.game import Cards, Phase, State
from ninety_nine_kit.narration import number, seat_name, signed, translator, working
from ninety_nine_kit.rules import AddingRules, Effect, Rules, TrickRules, effect_keys
from ninety_nine_kit.tricks import TrickState

Say = Callable[[str], str]
Names = Sequence[str] | None
Cell = str | Cards


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


def tag(name: str, *content: str, **attributes: str) -> Markup:
    """An element. Content that is no `Markup`, and every attribute, is escaped; `class_` writes `class`.

    >>> print(tag("b", "<i>", tag("br"), class_="x"))
    <b class="x">&lt;i&gt;<br></b>
    """
    inside = "".join(part if isinstance(part, Markup) else escape(part) for part in content)
    written = "".join(f' {key.rstrip("_").replace("_", "-")}="{escape(value)}"' for key, value in attributes.items())
    return Markup(f"<{name}{written}>" if name == "br" else f"<{name}{written}>{inside}</{name}>")


class Grid(NamedTuple):
    """A table with a caption; cells are texts or cards."""

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


Block = str | Grid


def text(x: State | Rules, lang: str = "en", names: Names = None) -> str:
    """A state, view or rules as plain text."""
    return "\n".join(block if isinstance(block, str) else _text_grid(block) for block in blocks(x, lang, names))


def html(x: State | Rules, lang: str = "en", names: Names = None) -> str:
    """A state, view or rules as HTML with inline styles only, which an untrusted notebook still shows."""
    return "".join(tag("p", block) if isinstance(block, str) else html_grid(block) for block in blocks(x, lang, names))


def blocks(x: State | Rules, lang: str = "en", names: Names = None) -> list[Block]:
    say = translator(lang)
    if isinstance(x, TrickRules):
        return _trick_rules(x, say)
    if isinstance(x, AddingRules):
        return _adding_rules(x, say)
    sheet = [sheet_grid(x, lang, names)] if x.sheet else []
    return [headline(x, lang), _seats(x, say, names), *_middle(x, say, names), *sheet]


def sorted_hand(hand: Cards) -> Cards:
    """A hand as it is held: by suit in the order ♣ ♥ ♠ ♦ (what they are worth in a bid, red between black)."""
    held = {suit: index for index, suit in enumerate((Suit.CLUBS, Suit.HEARTS, Suit.SPADES, Suit.DIAMONDS))}
    return tuple(sorted(hand, key=lambda card: (held.get(card.suit, 4), card_order(card))))


def direction_word(direction: int, say: Say) -> str:
    return say("clockwise ↻") if direction > 0 else say("counter-clockwise ↺")


def headline(state: State, lang: str = "en") -> str:
    """Which game, which deal, and what counts for everybody."""
    say = translator(lang)
    rules = state.rules
    parts = [say(rules.title), say("deal {deal}").format(deal=state.deal_number)]
    if isinstance(state, TrickState):
        if (state.rules.games or 2) > 1:
            parts.insert(1, say("game {game}").format(game=state.game_number))
        parts.append(say("trump {suit}").format(suit=state.trump) if state.trump else say("no trump"))
    elif isinstance(state, AddingState):
        parts.append(say("total {total} of {limit}").format(total=number(state.total), limit=state.rules.limit))
        parts.append(direction_word(state.direction, say))
    return " · ".join(parts)


def has_points(state: State) -> bool:
    return isinstance(state, TrickState) or bool(getattr(state.rules, "milestones", ()))


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
        head += [say("Bid"), say("Tricks"), say("Points")]
    elif isinstance(state, AddingState):
        head += [say("Lives")] * (state.rules.over_limit != "allowed")
        head += [say("This deal"), say("Points")] * has_points(state)
    return Grid(say("Table"), tuple(head), tuple(map(tuple, columns)))


def _counts(state: State, seat: int) -> list[Cell]:
    if isinstance(state, TrickState):
        value, bid = state.bid_value(seat), sorted_hand(state.bids[seat])
        shown: Cell = f"{listed(bid)} = {value}" if value is not None and bid else bid
        return [shown, number(state.won[seat]), number(state.scores[seat])]
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
            say("Pile: {pile} cards, {top} on top. Stock: {stock} cards.").format(
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
    return ask.format(
        seat="" if state.to_act is None else seat_name(state.to_act, names),
        count=getattr(state.rules, "bid_cards", 0),
        winners=", ".join(seat_name(seat, names) for seat in state.winners),
    )


def sheet_grid(state: State, lang: str = "en", names: Names = None) -> Grid:
    """The score sheet with its working: a row per finished deal, then the points so far."""
    say = translator(lang)
    rows: list[tuple[Cell, ...]] = []
    for row in state.sheet:
        cells: list[Cell] = []
        for seat in range(state.players):
            score = working(row.parts[seat]) if has_points(state) else ""
            if row.bids and row.bids[seat] is not None:
                made = "✓" if row.bids[seat] == row.tricks[seat] else "✗"
                bid = say("bid {bid}, took {tricks} {made}")
                score = f"{bid.format(bid=row.bids[seat], tricks=row.tricks[seat], made=made)}: {score}"
            if row.lives and getattr(state.rules, "over_limit", "") != "allowed":
                lives = say("lives left: {lives}").format(lives=row.lives[seat])
                score = f"{lives} · {score}" if score else lives
            cells.append(score)
        rows.append((f"{row.game}.{row.deal}" if state.sheet[-1].game > 1 else number(row.deal), *cells))
    if has_points(state):
        rows.append((say("Points"), *map(number, state.scores)))
    head = (say("Deal"), *(seat_name(seat, names) for seat in range(state.players)))
    return Grid(say("Score sheet"), head, tuple(rows))


def effect_words(effect: Effect, say: Say) -> str:
    """What an effect does, in words."""
    words = []
    if effect.set_to is not None:
        words.append(say("total becomes {total}").format(total=number(effect.set_to)))
    elif effect.add or not (effect.reverse or effect.skip or effect.exchange):
        words.append(signed(effect.add))
    words += [say("direction turns")] * effect.reverse
    words += [say("skips {players}").format(players=effect.skip)] * bool(effect.skip)
    words += [say("exchange of a card")] * effect.exchange
    if effect.on_cross or effect.instead:
        crossed = say("crossing: {points} instead") if effect.instead else say("crossing: {points}")
        words.append(crossed.format(points=signed(effect.on_cross)))
    if effect.levy:
        words.append(say("crossing: {points} from each other player").format(points=signed(effect.levy)))
    return ", ".join(words)


def _trick_rules(rules: TrickRules, say: Say) -> list[Block]:
    players = max(rules.players)
    lines: list[Block] = [
        say(rules.title),
        say("{players} players. Cards: {ranks} in four suits, low to high. Each player gets {each}.").format(
            players=_numbers(rules.players), ranks=" ".join(rules.ranks), each=rules.hand_size
        ),
        say("Play: the player left of the dealer leads. Follow the suit led if you can; else play any card."),
    ]
    trumps = {made: rules.trump_after[made] for made in range(players + 1)}
    if rules.first_trump or any(trumps.values()):
        lines.append(say("The highest trump takes the trick, or else the highest card of the suit led."))
        head = (say("Bids made in the deal before"), say("first deal"), *map(str, trumps))
        row = (say("Trump"), *(suit or say("none") for suit in (rules.first_trump, *trumps.values())))
        lines.append(Grid(say("Trump"), head, (row,)))
    else:
        lines.append(say("The highest card of the suit led takes the trick. There is no trump."))
    lines.append(say("Points for each trick: {points}.").format(points=number(rules.trick_points)))
    if rules.bid_cards:
        lines += _bid_rules(rules, players, say)
    return [*lines, _trick_end(rules, say)]


def _bid_rules(rules: TrickRules, players: int, say: Say) -> list[Block]:
    suits = sorted(rules.bid_values, key=lambda suit: -rules.bid_values[suit])
    values = ", ".join(f"{suit} {rules.bid_values[suit]}" for suit in suits)
    bid = say(
        "Bid: before play lay {count} cards aside. Their suits add up to the tricks that you must take: {values}."
    )
    made_head = (say("Players who made their bid"), *map(str, range(1, players + 1)))
    bonus = (say("Points for each of them"), *(number(rules.success_bonus[n]) for n in range(1, players + 1)))
    lines: list[Block] = [bid.format(count=rules.bid_cards, values=values), Grid(say("Bids made"), made_head, (bonus,))]
    for premium in rules.premiums:
        shown = say("bid and hand open") if premium.opens_hand else say("bid open")
        failed = say("{points} if it fails").format(points=signed(premium.failed))
        if premium.others:
            failed = say("{points} for each other player if it fails").format(points=signed(premium.others))
        stake = say("{name} ({shown}): {made} if the bid is made, {failed}.")
        lines.append(stake.format(name=say(premium.name), shown=shown, made=signed(premium.made), failed=failed))
    return lines


def _trick_end(rules: TrickRules, say: Say) -> str:
    ends = []
    if rules.target:
        ends.append(say("A game ends when somebody has {target} points; most points win.").format(target=rules.target))
    if rules.deals:
        ends.append(say("Deals in a game: {deals}.").format(deals=rules.deals))
    if rules.games_to_win:
        ends.append(say("Who first wins {games} games wins the match.").format(games=rules.games_to_win))
    elif rules.games and rules.games > 1:
        ends.append(say("A match is {games} games.").format(games=rules.games))
    return " ".join(ends)


def _numbers(players: Sequence[int]) -> str:
    return f"{players[0]}–{players[-1]}" if len(players) > 1 else str(players[0])


def _adding_rules(rules: AddingRules, say: Say) -> list[Block]:
    over = {
        "play on": say("Who has to go over {limit} loses a life; the others play on at the same total."),
        "deal over": say("Who has to go over {limit} loses a life, and the next deal begins."),
        "allowed": say("Going over {limit} ends the round."),
    }
    aims = {
        "last in": say("The last player with a life wins."),
        "first out": say("The first player without a life is the loser."),
        "high": say("Most points after {rounds} rounds win."),
        "low": say("Fewest points after {rounds} rounds win."),
    }
    aim = f"{over[rules.over_limit]} {aims[rules.objective]}".format(limit=rules.limit, rounds=rules.rounds)
    lay = say("Lay a card and say the new total. It starts at {start}.").format(start=number(rules.start))
    lines: list[Block] = [
        say(rules.title),
        _table_needs(rules, say),
        f"{lay} {aim}",
        " ".join(_adding_details(rules, say)),
    ]
    rows = [(str(key), _choice_words(rules.effects[key], say)) for key in effect_keys(rules)]
    rows += [(f"{rank}-{rank}", _choice_words(effects, say)) for rank, effects in rules.pairs.items()]
    lines.append(Grid(say("What the cards do"), (say("Card"), say("Effect")), tuple(rows)))
    if rules.milestones:
        borders = tuple(number(milestone.at) for milestone in rules.milestones)
        points = tuple(number(milestone.points) for milestone in rules.milestones)
        lines.append(Grid(say("Borders"), (say("Crossing"), *borders), ((say("Points"), *points),)))
    if rules.penalties:
        costs = ", ".join(f"{card} {signed(points)}" for card, points in rules.penalties.items())
        lines.append(say("Cards held at the end of a round: {costs}").format(costs=costs))
    return lines


def _table_needs(rules: AddingRules, say: Say) -> str:
    needs = [
        say("{players} players.").format(players=_numbers(rules.players)),
        say("Packs: {packs}.").format(packs=_by_players(rules, "packs", say)),
        say("Each holds {each} cards and draws after each turn.").format(each=rules.hand_size),
    ]
    if rules.over_limit != "allowed":
        needs.append(say("Lives: {lives}.").format(lives=_by_players(rules, "lives", say)))
    return " ".join(needs)


def _by_players(rules: AddingRules, field: str, say: Say) -> str:
    """A number, or the numbers by how many play: `1 (2–3 players), 2 (4–5 players)`."""
    value = getattr(rules, field)
    if isinstance(value, int):
        return str(value)
    players: dict[int, list[int]] = {}
    for n in rules.players:
        players.setdefault(value[n], []).append(n)
    told = say("{number} ({players} players)")
    return ", ".join(told.format(number=number, players=_numbers(group)) for number, group in players.items())


def _adding_details(rules: AddingRules, say: Say) -> list[str]:
    floors = {
        None: say("The total may go below 0."),
        "clamp": say("The total stops at 0 when it falls."),
        "forbid": say("The total must not go below 0."),
    }
    told = {
        say("Anybody may go over at any time."): rules.voluntary_bust,
        floors[rules.floor]: True,
        say("Play starts counter-clockwise."): rules.direction < 0,
        say("Who lost begins the next deal."): rules.next_leader == "loser",
        say("Every turn costs {ante} for the pot, which the winner takes.").format(ante=rules.ante): rules.ante,
        say("A falling total crosses borders too."): rules.milestones_down,
        say("Who ends the round draws once more."): rules.draw_after_end,
    }
    return [sentence for sentence, counts in told.items() if counts]


def _choice_words(rows: Sequence[Effect], say: Say) -> str:
    return f" {say('or')} ".join(effect_words(row, say) for row in rows)


def _text_grid(grid: Grid) -> str:
    cells = [[cell if isinstance(cell, str) else listed(cell) for cell in row] for row in (grid.head, *grid.rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in cells)
    return "\n".join(f"  {line}".rstrip() for line in lines)


RED, BLACK = "#b40f2a", "#1b1b1f"


def card_span(card: Card) -> Markup:
    """A small card of inline styles."""
    colour = RED if card.suit in (Suit.HEARTS, Suit.DIAMONDS) else BLACK
    if card == BACK:
        colour = "#3350a8"
    style = f"color:{colour};background:#fffef9;border:1px solid #8a8a8a;border-radius:3px;padding:0 3px;margin:1px"
    return tag("span", str(card), style=style)


def html_grid(grid: Grid) -> Markup:
    """A grid as a captioned table; its first column are row headings."""
    head = tag("tr", *(tag("th", cell, scope="col") for cell in grid.head))
    rows = [
        tag("tr", tag("th", _cell(row[0]), scope="row"), *(tag("td", _cell(cell)) for cell in row[1:]))
        for row in grid.rows
    ]
    return tag("table", tag("caption", grid.caption), tag("thead", head), tag("tbody", *rows))


def _cell(cell: Cell) -> Markup:
    return Markup("".join(map(card_span, cell))) if isinstance(cell, tuple) else Markup(escape(cell))
