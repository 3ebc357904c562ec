"""Practice for bidding by suit: which number three cards say, and all the ways in which a hand can say it."""

from collections import Counter
from itertools import combinations, groupby

from ipywidgets import HTML, BoundedIntText, Button, VBox

from ninety_nine_kit.card import Card, Mistake, listed
from ninety_nine_kit.dealing import check_rules, deal
from ninety_nine_kit.events import WrongNumber
from ninety_nine_kit.game import Cards, without
from ninety_nine_kit.narration import narrate, number, translator
from ninety_nine_kit.rules import Rules, TrickRules
from ninety_nine_kit.show import sorted_hand, spelled
from ninety_nine_kit.show.blocks import Block, Grid, html_grid, tag
from ninety_nine_kit.widgets.board import minis
from ninety_nine_kit.widgets.controls import labelled, row, update
from ninety_nine_kit.widgets.hand import Hand
from ninety_nine_kit.widgets.panel import Panel


class BidPicker(Panel):
    """Twelve cards to lay aside from: the sum so far, how the cards left look, and every way to say a number.

    `rules` are of a trick-taking game, `seed` is the deal number; the hand is that of seat 0. `number` is what to say
    at first.
    """

    def __init__(self, rules: Rules, seed: int = 99, *, number: int = 0, lang: str = "en", large: bool = False) -> None:
        check_rules(rules)
        if not isinstance(rules, TrickRules) or not rules.bid_cards:
            raise Mistake(f"{rules.name}: there are no bids to pick in this game")
        most = rules.bid_cards * max(rules.bid_values.values())
        if number not in range(most + 1) or seed not in range(10**9):
            raise Mistake(f"{rules.name}: number is 0 to {most} and seed 0 or more here, not {number!r} and {seed!r}")
        self.rules, self._first, self.lang = rules, (seed, number), lang
        say = translator(lang)
        self._board, self._ways = HTML(), HTML()
        self.hand = Hand(lambda button: self._toggle(self.hand.card(button)), self._clicked)
        self.hand.make_room(rules.hand_size)
        self.number = labelled(BoundedIntText, "11em", value=number, min=0, max=most, description=say("Ways to say"))
        self.seed = labelled(BoundedIntText, "14em", value=seed, min=0, max=10**9, description=say("Deal number"))
        self._ways.add_class("nn-sheet")
        felt = VBox([self._board, self.hand])
        felt.add_class("nn-felt")
        super().__init__([felt, row(self.number, self.seed), self._ways], large=large)
        self.number.observe(lambda _: self._draw(), "value")
        self.seed.observe(lambda _: self._deal(), "value")
        self._deal()

    def click(self, card: Card | str) -> None:
        """Lays a card aside, or takes it back."""
        self.button(str(Card.parse(str(card)))).click()

    def restart(self) -> None:
        self._fall_silent()
        self.seed.value, self.number.value = self._first
        self._deal()

    def _deal(self) -> None:
        self._state = deal(self.rules, min(self.rules.players), self.seed.value)
        self.picked: Cards = ()
        self._notice = ""
        self._draw()

    def _toggle(self, card: Card) -> None:
        self._notice, needed = "", self.rules.bid_cards
        if card in self.picked:
            self.picked = without(self.picked, (card,))
        elif len(self.picked) == needed:
            self._notice = narrate(WrongNumber(needed, needed + 1), self.lang)
        else:
            self.picked += (card,)
        self._draw()

    def ways(self) -> Grid:
        """Every way in which the whole hand can say the number, by suits."""
        say, hand, value = translator(self.lang), sorted_hand(self._state.hands[0]), self.number.value
        bids = [bid for bid in combinations(hand, self.rules.bid_cards) if self.rules.bid_value(bid) == value]
        counted = Counter(" ".join(card.suit for card in bid) for bid in bids)
        firsts = {" ".join(card.suit for card in bid): bid for bid in reversed(bids)}
        rows = tuple(
            (suits, " + ".join(str(self.rules.bid_values[c.suit]) for c in firsts[suits]), number(n), firsts[suits])
            for suits, n in counted.items()
        )
        told = say("Ways in which this hand can say {number}: {count}")
        head = (say("Suits"), say("Sum"), say("Ways"), say("For example"))
        return Grid(told.format(number=value, count=len(bids)), head, rows)

    def buttons(self) -> list[Button]:
        return self.hand.shown()

    def blocks(self) -> list[Block]:
        left = " · ".join(listed(cards) for cards in self._left())
        return [*self._told(), f"{self._left_title()} {left}", self.ways()]

    def _told(self) -> list[str]:
        say, missing = translator(self.lang), self.rules.bid_cards - len(self.picked)
        told = [spelled(self.rules, self.picked)] * bool(self.picked)
        told += [say("Choose {count} more.").format(count=missing)] * bool(missing)
        return [" · ".join(told), *[f"⊘ {self._notice}"] * bool(self._notice)]

    def _left_title(self) -> str:
        say, count = translator(self.lang), self.rules.hand_size - len(self.picked)
        return say("Left in hand ({count}):").format(count=count)

    def _left(self) -> list[Cards]:
        """The cards that stay in the hand, suit by suit."""
        left = without(sorted_hand(self._state.hands[0]), self.picked)
        return [tuple(suit) for _, suit in groupby(left, key=lambda card: card.suit)]

    def _draw(self) -> None:
        told, *notice = self._told()
        rows = [tag("div", minis(cards), f" {len(cards)}") for cards in self._left()]
        parts = [tag("div", told, class_="nn-todo"), *[tag("p", line, class_="nn-no-way") for line in notice]]
        parts.append(tag("div", tag("div", self._left_title()), *rows))
        update(self._board, value=tag("div", *parts, class_="nn-board"))
        update(self._ways, value=html_grid(self.ways()))
        self.hand.fill(self._state.seen_by(0), 0, self.picked, self.lang)
        self._tell([self.ways().caption], " ".join(self._told()))
