"""The hand: a row of buttons that are made once and then only change their faces."""

from ipywidgets import Button, HBox

from ninety_nine_kit.card import BACK, Card
from ninety_nine_kit.game import Cards, Phase, Play, State
from ninety_nine_kit.narration import card_words, translator
from ninety_nine_kit.show import sorted_hand
from ninety_nine_kit.widgets.controls import Press, make_buttons, update
from ninety_nine_kit.widgets.style import card_classes

GONE, NO, PICKED = "nn-gone", "nn-no", "nn-picked"


class Hand(HBox):
    """The cards of one seat as buttons. `click` and `clicked` are as in `make_buttons`."""

    def __init__(self, click: Press, clicked: Press) -> None:
        super().__init__()
        self.add_class("nn-hand")
        self._click, self._clicked = click, clicked
        self._slots: Cards = ()
        self.buttons: tuple[Button, ...] = ()

    def make_room(self, cards: int) -> None:
        if len(self.buttons) < cards:
            self.children = self.buttons = make_buttons(max(12, cards), self._click, self._clicked)

    def card(self, button: Button) -> Card:
        """The card whose face the button shows."""
        return self._slots[self.buttons.index(button)]

    def shown(self, *without: str) -> list[Button]:
        """The buttons that can be seen, less those with one of these classes."""
        return [button for button in self.buttons if not {GONE, *without} & set(button._dom_classes)]

    def nearest_open(self, button: Button | None) -> Button | None:
        """The card nearest to a button that is open and not marked as not allowed."""
        place = self.buttons.index(button) if button in self.buttons else 0
        open_cards = self.shown(NO, "nn-back")
        return min(open_cards, key=lambda card: abs(self.buttons.index(card) - place), default=None)

    def fill(self, view: State, seat: int, picked: Cards, lang: str) -> None:
        """Shows the seat's hand, marking what may not be played and what is picked for a bid. Cards keep their places
        while the hand only gets smaller, so that little changes on the screen."""
        say = translator(lang)
        here = self._keep_places(sorted_hand(view.hands[seat]))
        asked = seat == view.to_act and view.phase is Phase.PLAY and BACK not in self._slots
        playable = {card for action in view.legal_actions() if isinstance(action, Play) for card in action.cards}
        for place, button in enumerate(self.buttons):
            if place >= len(self._slots) or not here[place]:
                update(button, description=str(BACK), tooltip=None, _dom_classes=("nn-card", GONE))
                continue
            card, mark, told = self._slots[place], "", "{card}"
            if asked and card not in playable:
                mark, told = NO, say("{card}: not allowed now, click to hear why")
            elif card in picked:
                mark, told = PICKED, say("{card}: laid aside, click to take it back")
            words, classes = told.format(card=card_words(card, lang)), (*card_classes(card), mark)
            update(button, description=str(card), tooltip=words, _dom_classes=tuple(filter(None, classes)))

    def _keep_places(self, hand: Cards) -> list[bool]:
        """Which slots still hold their card; all of them anew if the hand has cards that no slot has."""
        left, here = list(hand), []
        for card in self._slots:
            here.append(card in left)
            if card in left:
                left.remove(card)
        if left:
            self._slots = hand
            return [True] * len(hand)
        return here
