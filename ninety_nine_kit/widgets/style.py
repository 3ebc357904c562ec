"""The stylesheet of the table: cards drawn by CSS alone, so that a plain Button can be a playing card.

A card has the classes `nn-card`, its rank (`nn-r7`) and its suit (`nn-sH`). Pips and court letters are small SVG
pictures in custom properties; each rank only says where they lie. Sizes are in em: `nn-large` makes all of it larger.
"""

from collections.abc import Sequence
from urllib.parse import quote

from ninety_nine_kit.card import BACK, Card, Rank, Suit

SUIT_CLASS = {Suit.CLUBS: "nn-sC", Suit.DIAMONDS: "nn-sD", Suit.HEARTS: "nn-sH", Suit.SPADES: "nn-sS"}
RED, BLACK, BLUE, GREEN, FACE = "#c4122f", "#1b1b1f", "#0b57c2", "#17703a", "#fffef9"
TWO_COLOURS = {Suit.CLUBS: BLACK, Suit.DIAMONDS: RED, Suit.HEARTS: RED, Suit.SPADES: BLACK}
FOUR_COLOURS = {Suit.CLUBS: GREEN, Suit.DIAMONDS: BLUE, Suit.HEARTS: RED, Suit.SPADES: BLACK}

_SHAPES = {
    Suit.CLUBS: "M12 2.2a4.7 4.7 0 0 0-3.4 8 4.7 4.7 0 1 0 2.7 6.6c-.2 2.3-1 4-2.8 5.5h7"
    "c-1.8-1.5-2.6-3.2-2.8-5.5a4.7 4.7 0 1 0 2.7-6.6A4.7 4.7 0 0 0 12 2.2Z",
    Suit.DIAMONDS: "M12 1.5Q15.5 7.5 20 12 15.5 16.5 12 22.5 8.5 16.5 4 12 8.5 7.5 12 1.5Z",
    Suit.HEARTS: "M12 21.5C5.5 15.6 2 12 2 7.8 2 4.7 4.3 2.5 7 2.5c2.2 0 4 1.3 5 3.3"
    " 1-2 2.8-3.3 5-3.3 2.7 0 5 2.2 5 5.3 0 4.2-3.5 7.8-10 13.7Z",
    Suit.SPADES: "M12 2C8 7 3 10 3 14.5 3 17.2 5 19 7.3 19c1.7 0 3.1-.9 3.9-2.4-.1 2.4-.9 4.2-2.7 5.7h7"
    "c-1.8-1.5-2.6-3.3-2.7-5.7.8 1.5 2.2 2.4 3.9 2.4 2.3 0 4.3-1.8 4.3-4.5C21 10 16 7 12 2Z",
}

# Where the pips of a rank lie, in percent of the card; True for those that stand on their heads.
_PAIR_TOP, _PAIR_END = [(34, 15, False), (66, 15, False)], [(34, 85, True), (66, 85, True)]
_FOUR = [*_PAIR_TOP, *_PAIR_END]
_EIGHT = [*_FOUR, (34, 38, False), (66, 38, False), (34, 62, True), (66, 62, True)]
_SIX = [*_FOUR, (34, 50, False), (66, 50, False)]
_PIPS = {
    Rank.TWO: [(50, 15, False), (50, 85, True)],
    Rank.THREE: [(50, 15, False), (50, 50, False), (50, 85, True)],
    Rank.FOUR: _FOUR,
    Rank.FIVE: [*_FOUR, (50, 50, False)],
    Rank.SIX: _SIX,
    Rank.SEVEN: [*_SIX, (50, 32, False)],
    Rank.EIGHT: [*_SIX, (50, 32, False), (50, 68, True)],
    Rank.NINE: [*_EIGHT, (50, 50, False)],
    Rank.TEN: [*_EIGHT, (50, 27, False), (50, 73, True)],
}
_COURT = (Rank.JACK, Rank.QUEEN, Rank.KING)

#: Whatever is a card: a button in the hand, or a drawing on the table.
_CARD = ":is(.jupyter-widgets.jupyter-button.nn-card,span.nn-card)"


def card_classes(card: Card) -> tuple[str, ...]:
    """The classes that draw a card."""
    if card == BACK:
        return ("nn-card", "nn-back")
    return ("nn-card", f"nn-r{card.rank}", SUIT_CLASS[card.suit])


def _picture(inside: str) -> str:
    svg = f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'>{inside}</svg>"
    written = quote(svg, safe="/:=' ")
    return f'url("data:image/svg+xml,{written}")'


def _inks(suit: Suit, colour: str) -> str:
    pip = f"<path fill='{colour}' d='{_SHAPES[suit]}'/>"
    turned = f"<g transform='rotate(180 12 12)'>{pip}</g>"
    return f"color:{colour};--nn-pip:{_picture(pip)};--nn-turned:{_picture(turned)};" + "".join(
        f"--nn-{rank}:{_picture(_letter(rank, colour))};" for rank in _COURT
    )


def _letter(rank: Rank, colour: str) -> str:
    font = "font-family='Georgia,DejaVu Serif,serif' font-weight='bold' font-size='21' text-anchor='middle'"
    return f"<text x='12' y='19.5' fill='{colour}' {font}>{rank}</text>"


def _faces() -> list[str]:
    rules = [f".nn-mini.{SUIT_CLASS[suit]}{{color:{colour}}}" for suit, colour in TWO_COLOURS.items()]
    rules += [f".nn-four .nn-mini.{SUIT_CLASS[suit]}{{color:{colour}}}" for suit, colour in FOUR_COLOURS.items()]
    for rank, pips in _PIPS.items():
        layers = ",".join("var(--nn-turned)" if turned else "var(--nn-pip)" for _, _, turned in pips)
        places = ",".join(f"{x}% {y}%" for x, y, _ in pips)
        size = "background-size:.82em" if len(pips) > 8 else ""
        rules.append(f"{_CARD}.nn-r{rank}{{background-image:{layers};background-position:{places};{size}}}")
    rules.append(f"{_CARD}.nn-rA{{background-image:var(--nn-pip);background-position:50% 50%;background-size:2.3em}}")
    for rank in _COURT:
        panel = "linear-gradient(#f4e7c3,#f4e7c3)"
        rules.append(
            f"{_CARD}.nn-r{rank}{{background-image:var(--nn-{rank}),var(--nn-pip),var(--nn-turned),{panel};"
            "background-position:50% 50%,72% 11%,28% 89%,50% 50%;background-size:2.5em,1em,1em,60% 84%}"
        )
    for suit, name in SUIT_CLASS.items():
        rules.append(f"{_CARD}.{name}{{{_inks(suit, TWO_COLOURS[suit])}}}")
        if FOUR_COLOURS[suit] != TWO_COLOURS[suit]:
            rules.append(f".nn-four {_CARD}.{name}{{{_inks(suit, FOUR_COLOURS[suit])}}}")
        rules += [f'{_CARD}.{name}.nn-r{rank}{{--nn-corner:"{rank}\\A {suit}"}}' for rank in Rank]
    return rules


_LAYOUT = """
.nn-table{font-size:15px;max-width:66em;overflow:visible;position:relative}
.nn-live{position:absolute;width:1px;height:1px;margin:0;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.nn-table.nn-large{font-size:22px;max-width:none}
.nn-table.nn-large :is(.widget-html-content,.widget-label,input,select),
.nn-table.nn-large .nn-row .jupyter-button{font-size:inherit;height:auto;line-height:1.4}
.nn-felt{background:radial-gradient(circle at 50% 25%,#2a7d53,#1f6b45 60%,#195a3a);border-radius:.9em;padding:.7em;
  color:#fff;overflow:visible}
.nn-felt .widget-html,.nn-felt .widget-html-content{color:#fff;font-size:inherit;line-height:1.4;height:auto;
  overflow:visible;width:100%;margin:0}
.nn-sheet .widget-html-content{line-height:1.4;overflow-x:auto}
.nn-head{display:flex;flex-wrap:wrap;gap:.2em 1.2em;font-weight:600}
.nn-seats{display:flex;flex-wrap:wrap;gap:.5em;margin:.5em 0}
.nn-seat{flex:1 1 10em;background:rgba(0,0,0,.28);border:.16em solid transparent;border-radius:.6em;padding:.35em .6em}
.nn-seat.nn-acts{border-color:#ffd84d}
.nn-name{font-weight:700;font-size:1.08em;overflow-wrap:anywhere}
.nn-mark{background:#fffef9;color:#1b1b1f;border-radius:.8em;padding:0 .5em;margin-left:.35em;font-size:.76em;
  font-weight:600;white-space:nowrap}
.nn-mark.nn-turn{background:#ffd84d}
.nn-mini{display:inline-block;background:#fffef9;color:#1b1b1f;border-radius:.2em;padding:0 .22em;margin:.08em;
  font-weight:600;
  line-height:1.35;white-space:nowrap}
.nn-backs{display:inline-block;width:.8em;height:1.15em;border-radius:.14em;border:.07em solid #fff;margin:.06em;
  vertical-align:-.15em;background:repeating-linear-gradient(45deg,#2c46a0 0 .14em,#5470d0 .14em .28em)}
.nn-middle{display:flex;flex-wrap:wrap;gap:.6em 1.6em;align-items:center;justify-content:center;margin:.3em 0;
  min-height:9em}
.nn-total{font-size:4.6em;font-weight:800;line-height:1;font-variant-numeric:tabular-nums;text-align:center}
.nn-total small{font-size:.3em;font-weight:600}
.nn-bar{position:relative;height:.55em;width:22em;max-width:100%;background:rgba(0,0,0,.35);border-radius:.3em;
  margin-top:.5em}
.nn-bar i{position:absolute;inset:0 auto 0 0;background:#ffd84d;border-radius:.3em}
.nn-bar b{position:absolute;top:-.2em;bottom:-.2em;width:.16em;background:#fff}
.nn-middle>div{text-align:center;max-width:100%;box-sizing:border-box}
.nn-line{margin:0 2.2em .3em}
.nn-scale{position:relative;height:1.3em;font-variant-numeric:tabular-nums}
.nn-scale small{position:absolute;transform:translateX(-50%);white-space:nowrap;font-size:.85em;font-weight:600}
.nn-trump{font-size:1.25em;font-weight:700}
.nn-place{text-align:center;font-size:.9em}
.nn-place.nn-wins{font-weight:700}
.nn-empty{display:inline-block;width:4.25em;height:6.1em;border:.12em dashed rgba(255,255,255,.65);border-radius:.45em}
.nn-story{background:rgba(0,0,0,.28);border-radius:.6em;padding:.4em .7em;margin:.3em 0}
.nn-seats~.nn-story{min-height:4.6em;box-sizing:border-box}
.nn-story p{margin:0}
.nn-story .nn-no-way{background:#fffef9;color:#7d0a1e;border-radius:.4em;padding:.15em .5em;font-weight:600}
.nn-story .nn-comment{border-left:.3em solid #ffd84d;padding:.15em .6em;margin:.25em 0;font-size:1.08em;font-weight:600}
.nn-todo{font-weight:700}
.nn-faces{margin:.4em 0}
.nn-facts{margin:.3em 0}
.nn-felt .widget-label{color:#fff;font-size:inherit}
.nn-felt table{border-collapse:collapse;margin:.4em 0}
.nn-felt caption{text-align:left;font-weight:600}
.nn-felt :is(th,td){border:1px solid rgba(255,255,255,.65);padding:.15em .7em;text-align:left}
.nn-hand,.nn-choices{flex-wrap:wrap;overflow:visible}
.nn-hand{padding-top:.8em;row-gap:.7em}
.nn-choice::first-letter{text-transform:uppercase}
.nn-choices .jupyter-button.nn-choice{display:none;width:auto;height:auto;min-height:2.2em;padding:.2em .9em;
  font-size:1em;font-weight:600;background:#fffef9;color:#1b1b1f;border-radius:.4em;line-height:1.3;white-space:normal}
.nn-choices .jupyter-button.nn-choice:focus-visible{outline:.2em solid #0b57c2;box-shadow:0 0 0 .4em #fff}
.nn-row{flex-wrap:wrap;overflow:visible}
.nn-row>*{max-width:100%;min-width:0;box-sizing:border-box}
.nn-row .jupyter-button{width:auto;padding:0 1em;font-size:.95em}
.nn-row .widget-toggle-button::before{content:"▸ " / ""}
.nn-row .widget-toggle-button.mod-active::before{content:"▾ " / ""}
.nn-sheet table,.nn-rules table{border-collapse:collapse;margin:.4em 0;font-size:.95em}
.nn-sheet caption,.nn-rules caption{text-align:left;font-weight:600;padding:.2em 0}
:is(.nn-sheet,.nn-rules) :is(th,td){border:1px solid var(--jp-border-color1,#9e9e9e);padding:.15em .6em;text-align:left}
.nn-rules .widget-html-content{line-height:1.45}
.nn-rules p{margin:.25em 0}
.nn-share .widget-html-content{line-height:1.4}
.nn-share .widget-textarea{width:auto;max-width:100%;box-sizing:border-box}
.nn-share a{color:var(--jp-content-link-color);text-decoration:underline;margin-left:.6em}
.nn-share p{margin:.25em 0;overflow-wrap:anywhere}
"""

_CARDS = f"""
{_CARD}{{position:relative;display:inline-block;width:4.25em;height:6.1em;min-width:0;margin:.18em;padding:0;
  font-size:1em;border:.07em solid #7c7c77;border-radius:.45em;background-color:{FACE};background-repeat:no-repeat;
  background-size:1em;box-shadow:0 .1em .25em rgba(0,0,0,.45);color:{BLACK};text-indent:-999em;overflow:hidden;
  line-height:1;vertical-align:top}}
{_CARD}::before,{_CARD}::after{{position:absolute;white-space:pre;text-indent:0;text-align:center;line-height:1;
  letter-spacing:-.06em;font:700 .84em/1 Georgia,"DejaVu Serif",serif;content:var(--nn-corner) / ""}}
{_CARD}::before{{left:.2em;top:.2em}}
{_CARD}::after{{right:.2em;bottom:.2em;transform:rotate(180deg)}}
{_CARD}.nn-back{{background:repeating-linear-gradient(45deg,#2c46a0 0 .35em,#5470d0 .35em .7em);
  border:.28em solid {FACE}}}
{_CARD}.nn-back::before,{_CARD}.nn-back::after{{content:none}}
.jupyter-widgets.jupyter-button.nn-card{{cursor:pointer;transition:transform .12s}}
.jupyter-widgets.jupyter-button.nn-card:hover{{background-color:{FACE};box-shadow:0 0 0 .14em #fff,
  0 .3em .5em rgba(0,0,0,.5)}}
.jupyter-widgets.jupyter-button.nn-card:focus-visible{{outline:.22em solid {BLUE};outline-offset:.05em;
  box-shadow:0 0 0 .42em #fff}}
.jupyter-widgets.jupyter-button.nn-card.nn-gone{{display:none}}
.jupyter-widgets.jupyter-button.nn-card.nn-picked{{transform:translateY(-.8em);outline:.22em solid #ffd84d}}
.jupyter-widgets.jupyter-button.nn-card.nn-picked:focus-visible{{outline-color:{BLUE}}}
.jupyter-widgets.jupyter-button.nn-card.nn-no{{background-color:#e0dfd8;border-style:dashed;
  filter:grayscale(.45);box-shadow:none;transform:translateY(.4em)}}
.jupyter-widgets.jupyter-button.nn-card.nn-no:focus-visible{{filter:none;box-shadow:0 0 0 .42em #fff}}
.jupyter-widgets.jupyter-button.nn-card.nn-no::after{{content:"⊘" / "";right:.1em;top:.1em;bottom:auto;transform:none;
  width:1.1em;height:1.1em;border-radius:50%;background:#fff;color:#7d0a1e;font:700 1.25em/1.1 sans-serif}}
@media (prefers-reduced-motion:reduce){{.jupyter-widgets.jupyter-button.nn-card{{transition:none}}}}
@media (max-width:640px){{.nn-table{{font-size:12.5px}}}}
"""


def stylesheet(shown: Sequence[str]) -> str:
    """All of it, for inside the widget. A button `nn-choice nn-is-x` is shown while the table says so by
    `data-show="… x …"`: one message then shows and hides all of them."""
    choices = [
        f'.nn-table:has(.nn-board[data-show~="{name}"]) .jupyter-button.nn-choice.nn-is-{name}{{display:inline-block}}'
        for name in shown
    ]
    return "<style>" + "\n".join([_LAYOUT, _CARDS, *_faces(), *choices]) + "</style>"
