"""The table as one piece of HTML: everything but the hand, drawn from a view."""

from collections.abc import Sequence
from dataclasses import replace

from ninety_nine_kit.adding import AddingState
from ninety_nine_kit.card import BACK, Card, listed
from ninety_nine_kit.game import Action, Announce, Cards, Play, State
from ninety_nine_kit.narration import number, seat_name, signed, translator
from ninety_nine_kit.rules import AddingRules
from ninety_nine_kit.show import direction_word, has_games, has_points, headline, seat_marks, sorted_hand
from ninety_nine_kit.show.blocks import Markup, Names, Say, tag
from ninety_nine_kit.show.rule_sheet import effect_words, premium_failed
from ninety_nine_kit.tricks import Trick, TrickState
from ninety_nine_kit.widgets.style import SUIT_CLASS, card_classes


def board(
    view: State,
    lang: str,
    names: Names,
    *,
    marks: Sequence[str],
    held: int | None,
    story: Sequence[str],
    comment: str,
    notice: str,
    prompt: str,
    commands: Sequence[str],
) -> Markup:
    """The board. `marks` stand beside the head line. `held` is the seat whose hand stands below as
    buttons; `comment` is a prepared deal's; `notice` says why something was refused; `commands` are the buttons that
    may be seen now."""
    say = translator(lang)
    seats = tag(
        "div", *(_seat(view, seat, say, names, seat == held) for seat in range(view.players)), class_="nn-seats"
    )
    middle = _trick(view, say, names) if isinstance(view, TrickState) else _total(view, say)
    lines = [tag("p", line) for line in story]
    lines += [tag("p", comment, class_="nn-comment")] * bool(comment)
    lines += [tag("p", f"⊘ {notice}", class_="nn-no-way")] * bool(notice)
    told = tag("div", *lines, class_="nn-story") if lines else ""
    ask = tag("div", prompt, class_="nn-todo")
    heads = [headline(view, lang), *marks]
    head = tag("div", *(tag("span", part) for part in heads), class_="nn-head")
    return tag("div", head, seats, middle, told, ask, class_="nn-board", data_show=" ".join(commands))


def option_label(state: State, option: Action, legal: bool, say: Say, tell_total: bool = True) -> str:
    """What a button for a choice says: a premium with its stakes, or an effect with the total that it makes."""
    mark = "" if legal else " ⊘"
    if isinstance(option, Announce):
        if option.premium is None:
            return say("pass") + mark
        name, made = say(option.premium.name), signed(option.premium.made)
        failed = premium_failed(option.premium, say)
        return say("{name}: {made}; if it fails {failed}").format(name=name, made=made, failed=failed) + mark
    assert isinstance(option, Play)
    results = state.results(option.cards)
    effect = option.effect or next(iter(results))
    result = f"→ {number(results[effect])}"
    turns = f", {say('direction turns')}" * effect.reverse
    done = effect_words(replace(effect, reverse=False), say)
    parts = [listed(option.cards)] * (len(option.cards) > 1) + [done] * (not tell_total or effect.set_to is None)
    parts += [result] * tell_total
    return " ".join(parts) + turns + mark


def face(card: Card) -> Markup:
    """A card of full size; its name is its text."""
    return tag("span", str(card), class_=" ".join(card_classes(card)))


def minis(cards: Cards) -> Markup:
    shown = [
        tag("span", class_="nn-backs")
        if card == BACK
        else tag("span", str(card), class_=f"nn-mini {SUIT_CLASS[card.suit]}")
        for card in sorted_hand(cards)
    ]
    return Markup(" ".join(shown))


def _seat(view: State, seat: int, say: Say, names: Names, held: bool) -> Markup:
    acts = seat == view.to_act
    marks = seat_marks(view, seat, say)
    chips = [
        tag(
            "span",
            ("▶ " if acts and not place else "") + mark,
            class_="nn-mark nn-turn" if acts and not place else "nn-mark",
        )
        for place, mark in enumerate(marks)
    ]
    lines = [tag("div", seat_name(seat, names), *chips, class_="nn-name")]
    hand = view.hands[seat]
    count = say("cards: {count}").format(count=len(hand))
    if held and hand:
        lines.append(tag("div", say("hand below")))
    elif hand:
        lines.append(tag("div", minis(hand), f" {count}"))
    lines += [tag("div", *line) for line in _counts(view, seat, say)]
    return tag("div", *lines, class_="nn-seat nn-acts" if acts else "nn-seat")


def _counts(view: State, seat: int, say: Say) -> list[tuple[str, ...]]:
    lines: list[tuple[str, ...]] = []
    if isinstance(view, TrickState):
        bid, value = view.bids[seat], view.bid_value(seat)
        if bid:
            lines.append((say("Bid"), " ", minis(bid), "" if value is None else f" = {value}"))
        lines.append((say("Tricks {won}").format(won=view.won[seat]), " ", "●" * view.won[seat]))
    if isinstance(view, AddingState) and view.rules.over_limit != "allowed":
        left, lost = view.lives[seat], view.rules.lives_for(view.players) - view.lives[seat]
        lines.append((say("Lives {lives}").format(lives=left), " ", "●" * left + "○" * max(lost, 0)))
    if has_points(view):
        points = say("Points {points}").format(points=number(view.scores[seat]))
        earned = sum(view.earned[seat]) if isinstance(view, AddingState) and view.to_act is not None else 0
        more = say("this deal {points}").format(points=number(earned)) if earned else ""
        lines.append((points, f" · {more}" if more else ""))
    if isinstance(view, TrickState) and has_games(view):
        lines.append((say("Games won {games}").format(games=view.games_won[seat]),))
    return lines


def _trick(view: TrickState, say: Say, names: Names) -> Markup:
    """The trick on the table, or the last one with its winner."""
    places = []
    current = bool(view.trick) or not view.tricks
    trick = Trick(view.leader, view.trick, -1) if current else view.tricks[-1]
    for place in range(view.players):
        seat = (trick.leader + place) % view.players
        card = face(trick.cards[place]) if place < len(trick.cards) else tag("span", class_="nn-empty")
        wins = seat == trick.winner
        name = seat_name(seat, names) + (f" ✓ {say('takes it')}" if wins else "")
        places.append(tag("div", card, tag("div", name), class_="nn-place nn-wins" if wins else "nn-place"))
    what = [tag("div", say("Trick {number}").format(number=len(view.tricks) + (1 if current else 0)))]
    trump = say("trump {suit}").format(suit=view.trump) if view.trump else say("no trump")
    what.append(tag("div", trump, class_="nn-trump"))
    if current and view.tricks:
        last = view.tricks[-1]
        told = say("Last trick: {seat} took it").format(seat=seat_name(last.winner, names))
        what += [tag("div", told, tag("br"), minis(last.cards))]
    return tag("div", tag("div", *what), *places, class_="nn-middle")


def _total(view: State, say: Say) -> Markup:
    assert isinstance(view, AddingState)
    rules = view.rules
    total = tag("div", number(view.total), tag("small", f" / {rules.limit}"), class_="nn-total")
    label = tag("div", say("Running total"))
    pile = face(view.pile[-1]) if view.pile else tag("span", class_="nn-empty")
    pile_count = say("pile: {count}").format(count=len(view.pile))
    stock = face(BACK) if view.stock else tag("span", class_="nn-empty")
    stock_count = say("stock: {count}").format(count=len(view.stock))
    parts = [
        tag("div", label, total, tag("div", direction_word(view.direction, say)), _number_line(rules, view.total)),
        tag("div", pile, tag("div", pile_count), class_="nn-place"),
        tag("div", stock, tag("div", stock_count), class_="nn-place"),
    ]
    if rules.ante:
        parts.append(tag("div", say("Pot: {pot}").format(pot=view.pot)))
    return tag("div", *parts, class_="nn-middle")


def _number_line(rules: AddingRules, total: int) -> Markup:
    """How far the total has come from 0 to the limit, with the borders and what crossing them brings."""

    def percent(value: int) -> str:
        return f"{min(max(100 * value / max(rules.limit, 1), 0), 100):.1f}%"

    marks = [(0, "0"), *((at, f"{at} ({signed(points)})") for at, points in rules.milestones)]
    marks += [(rules.limit, str(rules.limit))] * (rules.limit not in dict(rules.milestones))
    lines = [tag("b", style=f"left:{percent(at)}") for at, _ in marks[1:]]
    labels = [tag("small", label, style=f"left:{percent(at)}") for at, label in marks]
    bar = tag("div", tag("i", style=f"width:{percent(total)}"), *lines, class_="nn-bar", aria_hidden="true")
    return tag("div", bar, tag("div", *labels, class_="nn-scale"), class_="nn-line")
