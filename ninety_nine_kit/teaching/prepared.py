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
    deal(PLAIN_TRICKS, 3, seed=1635),
    steps(
        _line(
            "A♠, 7♠, 10♠,"
            "Q♣, 10♣, 6♦,"  # A is void
            "9♥, 10♥, Q♥,"
            "J♦, 7♦, 8♠,"
            "10♦, 8♦, J♣,"
            "8♥, 9♠, Q♠"
        ),
        {
            1: N_("B leads a spade. Spades are the suit led now: whoever holds a spade must play one."),
            2: N_("C follows with a low spade, because no spade can beat the ace."),
            3: N_("You follow with your only spade. B takes the trick: the ace is the highest card of the suit led."),
            4: N_("Whoever takes a trick leads the next one. B leads a club."),
            6: N_("A card of another suit takes nothing, however high it is. So you throw away your lowest card."),
            9: N_("Your queen is higher than the ten, and both are hearts. The trick is yours, and now you lead."),
            10: N_("You lead your highest card, the jack. The others must follow if they hold a diamond."),
            12: N_("C plays a spade, so C holds no diamond. Your jack is the highest diamond, and you lead again."),
            15: N_("B follows with the eight, and your ten is higher. C's jack is no diamond and takes nothing."),
            16: N_("Your last card is an eight. It takes the trick if nobody plays a higher heart."),
            18: N_(
                "The queen is high, but it is no heart, so your eight takes the trick. "
                "You took 4 tricks, B took 2 and C none: you win."
            ),
        },
        {
            3: N_("Spades are led, and you hold one spade. Which card must you play?"),
            6: N_("You hold no club, so you may play any card, but none of them can win. Which is your lowest card?"),
            9: N_("The ten of hearts is the best card so far. Which of your cards takes the trick?"),
        },
    ),
    N_("You are A and hold six cards. Everybody plays one card in turn: these three cards are a trick."),
)

KEEP_THE_PROMISE = Walkthrough(
    N_("Keep the promise"),
    deal(TRICKS_RU, 3, seed=869),
    steps(
        _line(
            "bid 6♦ 7♠ A♠, bid 9♦ 6♠ 8♠, bid K♣ Q♦ K♦, pass, pass, pass,"
            "K♥, 6♥, A♥,"
            "A♦, 8♦, 10♦,"
            "A♣, 7♣, 8♣,"  # A has its three tricks
            "7♦, J♦, 7♥,"
            "10♣, 9♣, 6♣,"
            "9♠, K♠, J♥,"
            "Q♠, J♣, J♠,"
            "10♥, 9♥, Q♣,"
            "Q♥, 8♥, 10♠"
        ),
        {
            1: N_("B lays three cards aside, face down. Only B knows the number until the deal is over."),
            3: N_(
                "You promise 3 + 0 + 0 = 3, because you keep three aces. "
                "This game has no trump, so an ace that you lead always takes the trick."
            ),
            6: N_("All have passed: nobody opens a bid. B sits to the left of the dealer and leads."),
            9: N_("Your ace beats the king. That is one trick of three."),
            10: N_("Nothing beats an ace that is led, so the second trick is yours already."),
            15: N_(
                "The third ace took the third trick, and 3 is what you promised. From now on you want no trick at all."
            ),
            16: N_("You lead a low diamond, so that somebody can play a higher one."),
            18: N_("C holds no diamond, so B's jack takes the trick."),
            21: N_("The six is lower than the ten, so it cannot win. The jack would have taken a fourth trick."),
            24: N_("You hold no spade, and a card of another suit takes nothing. So you lose a jack without harm."),
            26: N_("Spades again: your other jack goes too."),
            29: N_("You throw the nine. The eight is less likely to take a trick that you do not want."),
            33: N_(
                "Now all bids are shown. You and B made them, so each of you gets 20 points "
                "and 1 for each trick: 3 + 20 = 23 for you."
            ),
        },
        {
            9: N_(
                "You want three tricks, and the king of hearts is the best card so far. Which card takes this trick?"
            ),
            21: N_("B leads the ten of clubs, and you want no more tricks. Which club cannot take this one?"),
            29: N_("The ten of hearts beats both your hearts. Which one is more dangerous to keep?"),
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
        deal(TRICKS_RU, 3, seed=1890),
        "bid 6♦ 8♠ K♠, bid J♣ 7♦ 9♦, bid 6♣ 8♦ A♦, pass, pass, pass,K♥, A♥, 8♥,A♣, 7♣, 6♥,Q♥, J♥, 7♥,6♠, A♠, 10♠",
    ),
    steps(
        _line(
            "K♦, 10♦, Q♣,"
            "K♣, 9♥, 10♣,"
            "8♣, J♦, 9♣,"  # the only club of A
            "7♠, 9♠, J♠,"
            "Q♦, 10♥, Q♠"
        ),
        {
            1: N_("B leads the king of diamonds. You want no trick, and you hold no diamond, so that is good for you."),
            3: N_("The queen could win a trick later, so you get rid of it here, where it takes nothing."),
            5: N_("C plays a heart, so C holds no club."),
            6: N_("The ten goes under the king. The nine is the better card to keep, because it is lower."),
            7: N_("B leads a low club, and your only club is higher. C has no club left to help you."),
            9: N_(
                "You must follow suit, and your nine beats the eight. "
                "That is a fourth trick, and you could not refuse it."
            ),
            15: N_(
                "You promised 3 and took 4, so you get 4 points for the tricks and nothing more. "
                "B and C made their bids and get 20 points more each."
            ),
        },
        {
            3: N_("You hold no diamond, so you may throw any card. Which is your highest card?"),
            6: N_("The king of clubs takes this trick. Which of your two clubs is more dangerous to keep?"),
            9: N_("Clubs are led. Which card must you play, like it or not?"),
        },
    ),
    N_("You are A, and four tricks are over. You promised 3 and you have 3, so you want no more."),
)

DECLARE_AND_FAIL = Walkthrough(
    N_("Declare and fail"),
    deal(TRICKS_RU, 3, seed=1378),
    steps(
        _line(
            "bid 6♠ 7♠ 9♠, bid 6♣ 10♦ A♦, bid Q♦ 8♠ J♠, declare,"
            "A♥, 9♥, 6♥,"
            "K♥, J♥, 7♥,"
            "Q♥, 8♣, 8♥,"  # A has its three tricks
            "7♦, K♦, 9♦,"
            "A♠, 10♠, Q♣,"
            "K♠, 7♣, J♦,"
            "6♦, 10♥, 8♦,"  # the only diamond of A
            "10♣, 9♣, K♣,"
            "A♣, J♣, Q♠"
        ),
        {
            1: N_(
                "You promise 1 + 1 + 1 = 3, for the three highest hearts. "
                "But the spades were your low cards, and the queen of clubs stays in your hand."
            ),
            4: N_("You declare, so your bid lies open. Now B and C know that you want exactly 3 tricks."),
            7: N_("Nothing beats an ace that is led. That is one trick of three."),
            11: N_("Nobody can hold a higher heart now, so the queen takes the third trick."),
            13: N_("You have the 3 tricks that you promised. One more would cost you 60 points."),
            14: N_("Only the six of diamonds is lower, so every other diamond beats your seven."),
            16: N_("B's king is the highest diamond here. B takes the trick and leads."),
            19: N_("A card of another suit takes nothing, so your most dangerous card is gone without harm."),
            22: N_("Again you hold no spade, and the jack of diamonds goes. The eight is the better card to keep."),
            23: N_("B knows that you want no more tricks, and leads the lowest of all diamonds."),
            24: N_("Only C could save you now. But C plays a heart, so C holds no diamond."),
            25: N_(
                "You must follow, and your eight takes a fourth trick. "
                "The queen of clubs with two diamonds would have said 3 too, and kept your low spades."
            ),
            31: N_(
                "You promised 3 and took 4: 4 points for the tricks and 60 off, 4 − 60 = −56. "
                "B and C made their bids: 3 + 20 = 23 and 2 + 20 = 22."
            ),
        },
        {
            11: N_("The ace and the king of hearts have been played. Which of your cards is sure to take a trick now?"),
            14: N_("You have your three tricks, and you must lead. Which is your lowest card?"),
            19: N_("You hold no spade, so you may throw any card. Which is your highest card?"),
            25: N_("Diamonds are led. Which card must you play?"),
        },
    ),
    N_(
        "You are A. In the Russian text you may declare your bid: "
        "you get 30 points more if you make it and lose 60 if you fail."
    ),
)

REVEAL_AND_MAKE = Walkthrough(
    N_("Reveal and make"),
    deal(TRICKS_FR, 3, seed=2991),
    steps(
        _line(
            "bid 6♦ 8♦ K♦, bid J♣ 7♦ 9♦, bid J♦ 7♥ A♥, reveal,"
            "6♣, Q♣, K♣,"
            "9♣, 7♣, 8♠,"
            "10♥, 9♥, Q♥,"
            "A♠, K♠, 10♠,"
            "J♠, 8♣, 7♠,"
            "10♦, A♦, 10♣,"
            "A♣, 8♥, Q♠,"
            "J♥, 6♥, Q♦,"
            "K♥, 6♠, 9♠,"
            "next deal"
        ),
        {
            1: N_(
                "A diamond says 0, so three diamonds promise 0 tricks. The rank does not matter: the king says 0 too."
            ),
            4: N_("You reveal, because each of your suits has a six. Now your bid and your hand lie open for all."),
            5: N_("The six is the lowest club, so every other club beats it."),
            7: N_("C takes the trick with the king and leads. You have no trick, and that is what you want."),
            8: N_("C sees your hand and leads a club that your ten would beat."),
            9: N_("The seven is lower than the nine, so it cannot win."),
            10: N_("B plays a spade, so B holds no club. With the ten you would have taken the trick."),
            12: N_("The nine is your highest heart. It goes here, where it cannot win."),
            16: N_("Again you throw your highest card of the suit. Nothing is lower than the six that you keep."),
            22: N_("You cannot follow, so your ten takes nothing. That was your highest card, and now it is gone."),
            31: N_(
                "You promised 0 and took 0: 20 points, because two players made their bids, "
                "and 60 for revealing. That makes 80."
            ),
            32: N_(
                "Two bids were made in the last deal, so hearts are trump in this one. "
                "After three bids made it is clubs, after one spades, after none diamonds."
            ),
        },
        {
            1: N_("Your cards are low, and you promise to take no trick. Which three cards say 0?"),
            9: N_("C leads the nine of clubs. Which of your clubs cannot take this trick?"),
            12: N_("The ten of hearts beats all your hearts. Which heart is the most dangerous to keep?"),
            22: N_("Diamonds are led, and you hold none. Which is your highest card, so that you can get rid of it?"),
        },
    ),
    N_(
        "You are A. In the French text you may also reveal: "
        "your bid and your hand lie open, and 60 points are at stake."
    ),
)

JUST_99 = Walkthrough(
    N_("Just 99"),
    deal(ADDING_RU, 3, seed=1910),
    steps(
        _line("5♣, K♠, 3♠, 4♣, 10♥ -10, Q♥, 5♠"),
        {
            1: N_("A five adds 5, so the total is 5. You keep the king and the nine for the time when it is high."),
            2: N_("A king makes the total 99 at once. Now C needs a card that does not raise it."),
            3: N_("C has no safe card: even the three makes 102. C is out, and the total stays at 99."),
            4: N_("A four adds nothing and turns the direction. Only you and B are left, so B is next."),
            5: N_("A ten adds 10 or takes 10 off. B takes 10 off: 99 − 10 = 89."),
            6: N_("A queen adds 10: 89 + 10 = 99, and exactly 99 is allowed. Now B needs a safe card again."),
            7: N_("B has no safe card: even the five makes 104. B is out, and you are the last one in: you win."),
        },
        {
            1: N_("A king makes 99 and a nine makes 0: both are always safe, so keep them. Which card do you lay?"),
            4: N_("The total is 99. Which card leaves it at 99 without the king?"),
            6: N_("The total is 89. Which card makes exactly 99 without the king?"),
        },
    ),
    N_("You are A. Everybody lays a card that changes the total, and the total must not go over 99."),
)

A_REVERSE_SAVES_YOU = Walkthrough(
    N_("A reverse saves you"),
    deal(ADDING_RU, 3, seed=948),
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
    deal(PARANOIA_RU, 3, seed=453),
    steps(
        _line("6♣, J♣, 2♦, give Q♠, give 10♦, give 9♣, 8♠, 3♦, 7♥, Q♠, 9♥, 9♣, 8♣, 4♠, Q♦, K♥ K♠"),
        {
            2: N_("6 + 10 = 16. The jack crossed no border, so it costs C nothing."),
            3: N_("A 2 adds 2 and calls an exchange: everybody passes one card to the next player."),
            4: N_("The queen of spades will go to B. Then B is the one who has to get rid of it."),
            6: N_("All have chosen, so the three cards move at once. C has passed you the nine of clubs."),
            7: N_("An eight adds nothing: still 18."),
            9: N_("21 + 7 = 28. You keep the king, because two kings may be laid together if another one comes."),
            10: N_(
                "28 + 10 = 38, so B crosses 33: 1 point, but 2 off for a queen, 1 − 2 = −1. "
                "Held to the end, this queen would cost 5."
            ),
            12: N_("47 + 9 = 56. You have both kings now, and wait until they can cross 66."),
            13: N_("An eight adds nothing: still 56."),
            14: N_("A four adds nothing and turns the direction, so the turn goes back to B."),
            15: N_("56 + 10 = 66. That is not over the border yet, so this queen costs B nothing."),
            16: N_(
                "Two kings add 10 together: 76. You get 2 points for crossing 66 and 1 from each opponent, 2 + 2 = 4."
            ),
        },
        {
            4: N_("You pass a card to B. Which of yours costs 5 points if you hold it at the end?"),
            12: N_("The total is 47, and nothing you hold can cross 66. Which card do you lay to keep both kings?"),
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
