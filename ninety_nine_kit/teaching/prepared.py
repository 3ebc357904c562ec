"""The prepared deals of the lessons: dealt by number, played as sensible beginners would, told to seat A."""

from dataclasses import replace
from functools import reduce

from ninety_nine_kit.dealing import deal
from ninety_nine_kit.events import N_
from ninety_nine_kit.game import State
from ninety_nine_kit.presets import ADDING_RU, PARANOIA_RU, TRICKS_FR, TRICKS_RU
from ninety_nine_kit.rules import Chart
from ninety_nine_kit.teaching.walkthrough import Walkthrough, steps

#: The game of the first lesson: tricks only, six cards each, no bids.
PLAIN_TRICKS = replace(
    TRICKS_RU,
    name="plain tricks",
    title=N_("Plain tricks"),
    hand_size=6,
    bid_cards=0,
    premiums=(),
    target=None,
    deals=1,
    games=1,
)


def _line(text: str) -> list[str]:
    """Actions divided by commas."""
    return [action.strip() for action in text.split(",")]


def _played(state: State, text: str) -> State:
    """The state after these actions."""
    return reduce(lambda before, action: before.apply(action), _line(text), state)


FOLLOW_SUIT = Walkthrough(
    N_("Follow suit"),
    deal(PLAIN_TRICKS, 3, seed=46, dealer=0),
    steps(
        _line(
            "A♠, 7♠, 6♠,"
            "A♥, 8♥, 6♦,"  # A is void
            "K♦, 7♦, A♦,"
            "Q♣, 7♣, 6♣,"
            "J♣, 8♣, 10♠,"
            "9♦, 9♥, K♠"
        ),
        {
            1: N_("B leads a spade. Spades are the suit led now: whoever holds a spade must play one."),
            2: N_("C follows with a low spade, because no spade can beat the ace."),
            3: N_("You follow with your only spade. B takes the trick: the ace is the highest card of the suit led."),
            4: N_("Whoever takes a trick leads the next one. B leads a heart."),
            6: N_("A card of another suit takes nothing, however high it is. So you throw away your lowest card."),
            9: N_("Your ace is higher than the king, and both are diamonds. The trick is yours, and now you lead."),
            10: N_("You lead your highest club. The others must follow if they hold a club."),
            12: N_("The queen is the highest of the three clubs, so you take the trick and lead again."),
            15: N_("C plays a spade, so C holds no club. The spade takes nothing: your jack is the highest club here."),
            16: N_("Your last card is a nine. It takes the trick if nobody plays a higher diamond."),
            18: N_(
                "The king is high, but it is no diamond, so your nine takes the trick. "
                "You took 4 tricks, B took 2 and C none: you win."
            ),
        },
        {
            3: N_("Spades are led, and you hold one spade. Which card must you play?"),
            6: N_("You hold no heart, so you may play any card, but none of them can win. Which is your lowest card?"),
            9: N_("The king of diamonds is the best card so far. Which of your cards takes the trick?"),
        },
    ),
    N_("You are A and hold six cards. Everybody plays one card in turn: these three cards are a trick."),
)

KEEP_THE_PROMISE = Walkthrough(
    N_("Keep the promise"),
    deal(TRICKS_RU, 3, seed=374, dealer=0),
    steps(
        _line(
            "bid J♦ Q♦ 10♥, bid 8♦ K♦ K♥, bid 10♦ Q♥ 10♠, pass, pass, pass,"
            "A♦, 6♥, 9♦,"
            "Q♠, K♠, A♠,"
            "A♥, 8♥, 7♥,"
            "A♣, 6♣, 9♣,"  # A has its three tricks
            "7♣, 8♣, 10♣,"
            "K♣, J♣, 7♦,"
            "7♠, 6♠, 9♠,"
            "J♥, 9♥, 6♦,"
            "J♠, Q♣, 8♠"
        ),
        {
            1: N_("B lays three cards aside, face down. Only B knows the number until the deal is over."),
            3: N_(
                "You promise 2 + 1 + 0 = 3, because you keep three aces. "
                "This game has no trump, so an ace that you lead always takes the trick."
            ),
            6: N_("All have passed: nobody opens a bid. B sits to the left of the dealer and leads."),
            9: N_("You throw the nine. The six is less likely to take a trick that you do not want."),
            12: N_("Your ace beats the king. That is one trick of three."),
            13: N_("Nothing beats an ace that is led, so the second trick is yours already."),
            18: N_(
                "The third ace took the third trick, and 3 is what you promised. From now on you want no trick at all."
            ),
            19: N_("You lead a low club, so that somebody can play a higher one."),
            21: N_("C's ten is the highest club here, so C takes the trick."),
            23: N_("You must follow with the jack. C's king is higher, so you lose a dangerous card without harm."),
            26: N_("The six is lower than the seven, so it cannot win. With the eight you would have needed luck."),
            30: N_("You hold no heart, and a card of another suit takes nothing."),
            33: N_(
                "Now all bids are shown. You and C made them, so each of you gets 20 points "
                "and 1 for each trick: 3 + 20 = 23 for you."
            ),
        },
        {
            9: N_("The ace of diamonds takes this trick. Which of your two diamonds is more dangerous to keep?"),
            12: N_(
                "You want three tricks, and the king of spades is the best card so far. Which card takes this trick?"
            ),
            26: N_("C leads the seven of spades, and you want no more tricks. Which spade cannot take this one?"),
        },
    ),
    N_(
        "You are A. First everybody promises a number of tricks and lays aside three cards "
        "that say it: ♣ 3, ♥ 2, ♠ 1, ♦ 0."
    ),
)

FORCED_OVERTRICK = Walkthrough(
    N_("Forced overtrick"),
    _played(
        deal(TRICKS_RU, 3, seed=385, dealer=2),
        "bid 7♦ Q♥ 10♠, bid Q♦ K♦ 7♥, bid 10♦ 9♥ 9♠, pass, pass, pass,A♠, 6♠, 7♠,A♣, 7♣, 8♣,K♠, 8♠, Q♠,6♣, Q♣, K♣",
    ),
    steps(
        _line(
            "A♦, J♦, 6♦,"
            "K♥, 8♥, A♥,"
            "J♠, 6♥, 10♣,"
            "8♦, 10♥, 9♦,"  # the only diamond of A
            "9♣, J♥, J♣"
        ),
        {
            1: N_("C leads the ace of diamonds. You want no trick, so that is good for you."),
            2: N_("The jack could win a trick later, so you get rid of it under the ace."),
            5: N_("You must follow, and the eight is lower than the king. So this trick is not yours."),
            9: N_("You hold no spade, so you may throw any card. The ten goes, because it is your highest card."),
            10: N_("B leads a low diamond, and your only diamond is higher. Now C must help you."),
            11: N_("C plays a heart, so C holds no diamond and cannot help you."),
            12: N_(
                "You must follow suit, and your nine beats the eight. "
                "That is a fourth trick, and you could not refuse it."
            ),
            15: N_(
                "You promised 3 and took 4, so you get 4 points for the tricks and nothing more. "
                "B and C made their bids and get 20 points more each."
            ),
        },
        {
            2: N_("The ace of diamonds takes this trick. Which of your two diamonds is more dangerous to keep?"),
            5: N_("Hearts are led, and you hold one heart. Which card must you play?"),
            12: N_("Diamonds are led. Which card must you play, like it or not?"),
        },
    ),
    N_("You are A, and four tricks are over. You promised 3 and you have 3, so you want no more."),
)

DECLARE_AND_FAIL = Walkthrough(
    N_("Declare and fail"),
    deal(TRICKS_RU, 3, seed=518, dealer=2),
    steps(
        _line(
            "bid J♦ 10♥ 9♠, bid 6♦ A♦ 9♥, bid 7♦ K♠ A♠, declare,"
            "A♥, Q♥, 7♥,"
            "A♣, 6♣, 9♣,"
            "K♣, 7♣, 10♣,"  # A has its three tricks
            "6♥, 8♣, J♥,"
            "K♥, 8♥, 9♦,"
            "8♦, 10♦, Q♦,"
            "Q♠, 10♠, 7♠,"
            "J♣, K♦, Q♣,"  # the only club of A
            "6♠, J♠, 8♠"
        ),
        {
            1: N_(
                "You promise 2 + 1 + 0 = 3, for two aces and the king of clubs. "
                "But the queen of clubs stays in your hand as well."
            ),
            4: N_("You declare, so your bid lies open. Now B and C know that you want exactly 3 tricks."),
            7: N_("Nothing beats an ace that is led. That is one trick of three."),
            11: N_("Nobody can hold a higher club now, so the king takes the third trick."),
            13: N_("You have the 3 tricks that you promised. One more would cost you 60 points."),
            14: N_("The six is the lowest heart, so every other heart beats it."),
            18: N_("You must follow, and the eight is lower than the king. Another heart is gone without harm."),
            21: N_("You must follow, and your ten is higher than the eight. Only B can save you now."),
            22: N_("B's queen is higher than your ten, so B takes the trick."),
            25: N_("Neither spade can win here. The lower one is the better card to keep."),
            26: N_("B knows that you want no more tricks, and leads a club that your queen can beat."),
            28: N_(
                "You must follow, and your queen takes a fourth trick. "
                "Laid aside at the start, this club would have said 3 with two diamonds."
            ),
            31: N_(
                "You promised 3 and took 4: 4 points for the tricks and 60 off, 4 − 60 = −56. "
                "Only C made the bid: 2 + 30 = 32."
            ),
        },
        {
            11: N_("The ace of clubs has been played. Which card of yours is the highest club now?"),
            14: N_("You have your three tricks and lead a heart. Which heart is the safer one?"),
            25: N_("The queen of spades beats both your spades. Which one do you throw, to keep the lower one?"),
            28: N_("Clubs are led. Which card must you play?"),
        },
    ),
    N_(
        "You are A. In the Russian text you may declare your bid: "
        "you get 30 points more if you make it and lose 60 if you fail."
    ),
)

REVEAL_AND_MAKE = Walkthrough(
    N_("Reveal and make"),
    deal(TRICKS_FR, 3, seed=421, dealer=2),
    steps(
        _line(
            "bid 7♦ 9♦ A♦, bid 6♦ J♠ K♠, bid A♣ 8♦ 8♠, reveal,"
            "6♣, 8♣, 10♣,"
            "A♥, J♥, 7♥,"
            "K♥, 9♥, 8♥,"
            "K♦, Q♠, J♦,"
            "10♦, 9♠, 7♠,"
            "J♣, 9♣, 10♥,"
            "Q♣, 7♣, 10♠,"
            "Q♦, 6♠, Q♥,"
            "K♣, 6♥, A♠,"
            "next deal"
        ),
        {
            1: N_(
                "A diamond says 0, so three diamonds promise 0 tricks. The rank does not matter: the ace says 0 too."
            ),
            4: N_("You reveal, because each of your suits has a six. Now your bid and your hand lie open for all."),
            5: N_("The six is the lowest club, so every other club beats it."),
            7: N_("C takes the trick with the ten and leads. You have no trick, and that is what you want."),
            9: N_("The jack is your highest heart. It goes here, where it cannot win."),
            12: N_("Again you throw the higher heart under a king. Nothing is lower than the six that you keep."),
            15: N_("You cannot follow, so your queen takes nothing. That was your highest card, and now it is gone."),
            21: N_("Both clubs are lower than the jack, so you throw the higher one."),
            31: N_(
                "You promised 0 and took 0: 30 points, because only you made the bid, "
                "and 60 for revealing. That makes 90."
            ),
            32: N_(
                "One bid was made in the last deal, so spades are trump in this one. "
                "After three bids made it is clubs, after two hearts, after none diamonds."
            ),
        },
        {
            1: N_("Your cards are low, and you promise to take no trick. Which three cards say 0?"),
            9: N_("The ace of hearts takes this trick. Which heart is the most dangerous to keep?"),
            15: N_("Diamonds are led, and you hold none. Which is your highest card, so that you can get rid of it?"),
        },
    ),
    N_(
        "You are A. In the French text you may also reveal: "
        "your bid and your hand lie open, and 60 points are at stake."
    ),
)

JUST_99 = Walkthrough(
    N_("Just 99"),
    deal(ADDING_RU, 3, seed=643, dealer=2),
    steps(
        _line("J♥, K♠, 10♥ -10, 7♥, 4♦, 3♥, A♠ +1, 4♥, K♥"),
        {
            1: N_("A jack adds 10, so the total is 10. You keep the king, because it is always safe."),
            2: N_("A king makes the total 99 at once. Now C needs a card that does not raise it."),
            3: N_("A ten adds 10 or takes 10 off. C takes 10 off: 99 − 10 = 89."),
            4: N_("89 + 7 = 96. A high total is hard for the others, and you still have the king."),
            5: N_("A four adds nothing and turns the direction. So it is your turn again, still at 96."),
            6: N_("96 + 3 = 99, and exactly 99 is allowed. Now C needs a card that does not raise the total."),
            7: N_("C has no safe card: even the ace as 1 makes 100. C is out, and the total stays at 99."),
            8: N_("B lays a four, which adds nothing: still 99. The direction turns again."),
            9: N_("A king makes 99, even from 99. Now B needs a safe card again."),
        },
        {
            4: N_("The total is 89. Which card brings you nearest to 99 without the king?"),
            6: N_("The total is 96. Which card makes exactly 99 without the king?"),
            9: N_("The total is 99, and two of your cards are safe. Which one leaves the total at 99?"),
        },
    ),
    N_("You are A. Everybody lays a card that changes the total, and the total must not go over 99."),
)

A_REVERSE_SAVES_YOU = Walkthrough(
    N_("A reverse saves you"),
    deal(ADDING_RU, 3, seed=948, dealer=0),
    steps(
        _line("A♥ +11, J♠, J♣, K♠, K♦, 4♥, 6♥, 10♣ -10, 8♦"),
        {
            1: N_("An ace adds 1 or 11, as the player likes. B takes 11."),
            2: N_("A jack adds 10: 11 + 10 = 21."),
            3: N_("21 + 10 = 31. You keep the four for the time when nothing more may be added."),
            4: N_("A king makes the total 99 at once, and C is next."),
            5: N_("C lays a king as well: 99 again. Now it is your turn."),
            6: N_("A four adds nothing and turns the direction. So C, who has just played, must play again."),
            7: N_("C has no safe card left and is out. The six does not count, so the total stays at 99."),
            8: N_("B takes 10 off: 99 − 10 = 89."),
            9: N_("89 + 8 = 97. Now B may add 2 at most."),
        },
        {
            3: N_("The total is 21, and you keep the four because it adds nothing. Which other card adds the most?"),
            6: N_("The total is 99. Which of your cards is safe?"),
            9: N_("The total is 89, and all your cards are safe. Which one leaves B the least room?"),
        },
    ),
    N_("You are A. Always keep a card that is safe at 99, because a king can take the total there at once."),
)

CROSSED_BY_A_QUEEN = Walkthrough(
    N_("Crossed by a queen"),
    deal(PARANOIA_RU, 3, seed=1825, dealer=0),
    steps(
        _line("2♥, give 4♦, give J♥, give J♠,J♣, J♥, J♠, Q♠, A♠ +11, 4♥, 8♦, 4♦, 3♣, 8♥, J♦, K♣ K♦"),
        {
            1: N_("A 2 adds 2 and calls an exchange: everybody passes one card to the next player."),
            4: N_("The jack of spades goes to B. But C has passed you the jack of hearts, which also costs 3."),
            6: N_("12 + 10 = 22. The jack crossed no border, so it costs you nothing."),
            7: N_("B lays the jack that you passed: 22 + 10 = 32."),
            8: N_(
                "32 + 10 = 42, so C crosses 33: 1 point, but 2 off for a queen, 1 − 2 = −1. "
                "Held to the end, this queen would cost 5."
            ),
            9: N_("42 + 11 = 53. You keep both kings, because two kings may be laid together."),
            10: N_("A four adds nothing and turns the direction, so it is your turn again."),
            12: N_("Another four turns the direction back, and it is your turn once more."),
            13: N_("53 + 3 = 56. You wait with the kings until they can cross 66."),
            14: N_("An eight adds nothing: still 56."),
            15: N_("56 + 10 = 66. That is not over the border yet, so C gets nothing."),
            16: N_(
                "Two kings add 10 together: 76. You get 2 points for crossing 66 and 1 from each opponent, 2 + 2 = 4."
            ),
        },
        {
            4: N_("You pass a card to B. Which of yours costs 3 points if you hold it at the end?"),
            6: N_(
                "The total is 12, and nothing you hold can cross 33. Which card costs points at the end and should go?"
            ),
            16: N_("The total is 66. What do you lay to get the most points?"),
        },
    ),
    N_(
        "You are A. Crossing 33 brings 1 point and crossing 66 brings 2, but a jack that crosses costs 1 and a queen 2."
    ),
)

#: The prepared deals by a short name.
PREPARED: Chart[str, Walkthrough] = Chart(
    {
        "follow suit": FOLLOW_SUIT,
        "keep the promise": KEEP_THE_PROMISE,
        "forced overtrick": FORCED_OVERTRICK,
        "declare and fail": DECLARE_AND_FAIL,
        "reveal and make": REVEAL_AND_MAKE,
        "just 99": JUST_99,
        "a reverse saves you": A_REVERSE_SAVES_YOU,
        "crossed by a queen": CROSSED_BY_A_QUEEN,
    }
)
