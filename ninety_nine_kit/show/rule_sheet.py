"""The rules of a game on one page, made from the rules value."""

from collections.abc import Sequence

from ninety_nine_kit.card import Card, Rank, card_order
from ninety_nine_kit.narration import number, signed
from ninety_nine_kit.rules import AddingRules, Effect, Premium, TrickRules
from ninety_nine_kit.show.blocks import Block, Grid, Say


def trick_rules(rules: TrickRules, say: Say) -> list[Block]:
    players = max(rules.players)
    lines: list[Block] = [
        say(rules.title),
        say("{players} players. Cards: {ranks} in four suits, low to high. Each player gets {each}.").format(
            players=_numbers(rules.players), ranks=" ".join(rules.ranks), each=rules.hand_size
        ),
        say("The player left of the dealer leads; whoever takes a trick leads the next. Then the next player deals."),
        say("Follow the suit led if you can; else play any card."),
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
        stake = say("{name} ({shown}): {made} if the bid is made; if it fails, {failed}.")
        failed, made = premium_failed(premium, say), signed(premium.made)
        lines.append(stake.format(name=say(premium.name), shown=shown, made=made, failed=failed))
    ask = say("Before play each in turn, left of the dealer first, may announce one; only the highest counts.")
    if len(rules.premiums) == 1:
        ask = say("Before play each in turn, left of the dealer first, may announce it; only the first counts.")
    return [*lines, ask] if rules.premiums else lines


def premium_failed(premium: Premium, say: Say) -> str:
    """What is at stake: for the holder, for the others, or for both."""
    told = [signed(premium.failed)] * bool(premium.failed or not premium.others)
    if premium.others:
        told.append(say("{points} for each other player").format(points=signed(premium.others)))
    return ", ".join(told)


def _trick_end(rules: TrickRules, say: Say) -> str:
    ends = []
    if rules.target:
        ends.append(say("A game ends when somebody has {target} points; most points win.").format(target=rules.target))
    if rules.deals:
        ends.append(say("Deals in a game: {deals}.").format(deals=rules.deals))
    ends.append(say("If the lead is shared then, another deal is played."))
    if rules.games_to_win:
        ends.append(say("Who first wins {games} games wins the match.").format(games=rules.games_to_win))
    elif rules.games == 1:
        ends.append(say("A match is one game."))
    else:
        ends.append(say("A match is {games} games; most games won win it.").format(games=rules.games))
    return " ".join(ends)


def _numbers(players: Sequence[int]) -> str:
    first, last = players[0], players[-1]
    in_a_row = len(players) > 1 and list(players) == list(range(first, last + 1))
    return f"{first}–{last}" if in_a_row else ", ".join(map(str, players))


def adding_rules(rules: AddingRules, say: Say) -> list[Block]:
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
    lay = say("Lay a card and say the new total. Each deal starts at {start}.").format(start=number(rules.start))
    lines: list[Block] = [
        say(rules.title),
        _table_needs(rules, say),
        f"{lay} {aim}",
        *_adding_details(rules, say),
    ]
    rows = [(str(key), choice_words(rules.effects[key], say)) for key in effect_keys(rules)]
    rows += [(f"{rank}-{rank}", choice_words(effects, say)) for rank, effects in rules.pairs.items()]
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
        say("Packs: {packs}.").format(packs=by_players(rules, "packs", say)),
        say("Cards in a hand: {each}; after each lay one draws up to that number again.").format(each=rules.hand_size),
    ]
    if rules.over_limit != "allowed":
        needs.append(say("Lives: {lives}.").format(lives=by_players(rules, "lives", say)))
    return " ".join(needs)


def by_players(rules: AddingRules, field: str, say: Say) -> str:
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
    over = rules.over_limit == "allowed"
    loser = rules.next_leader == "loser"
    exchange = any(row.exchange for rows in (*rules.effects.values(), *rules.pairs.values()) for row in rows)
    told = {
        say("The next player who is still in deals the next deal, and the one after the dealer begins."): not loser,
        say("The next player who is still in deals the next deal. Who lost the last one begins."): loser,
        say("Each deal starts clockwise."): rules.direction > 0,
        say("Each deal starts counter-clockwise."): rules.direction < 0,
        say("Who can stay at {limit} or less must do so.").format(limit=rules.limit): not over
        and not rules.voluntary_bust,
        say("Anybody may go over at any time."): rules.voluntary_bust,
        floors[rules.floor]: True,
        say("When the stock is empty, the pile but for its top card is shuffled and becomes the new stock."): True,
        say("Every turn costs {ante} for the pot, which the winner takes.").format(ante=rules.ante): rules.ante,
        say("Only a rising total crosses borders."): rules.milestones and not rules.milestones_down,
        say("A falling total crosses borders too."): rules.milestones_down,
        say(
            "In an exchange the player draws, then everybody passes a card to the next player in the direction of "
            "play; all choose before they see what they get."
        ): exchange,
        say("Who ends the round draws once more."): rules.draw_after_end,
        say("Who ends the round does not draw, but for an exchange."): over and not rules.draw_after_end,
    }
    return [sentence for sentence, counts in told.items() if counts]


def choice_words(rows: Sequence[Effect], say: Say) -> str:
    return f" {say('or')} ".join(effect_words(row, say) for row in rows)


def effect_words(effect: Effect, say: Say) -> str:
    """What an effect does, in words."""
    words = []
    if effect.set_to is not None:
        words.append(say("total becomes {total}").format(total=number(effect.set_to)))
    elif effect.add or not (effect.reverse or effect.skip or effect.exchange):
        words.append(signed(effect.add))
    words += [say("direction turns")] * effect.reverse
    words += [say("players skipped: {players}").format(players=effect.skip)] * bool(effect.skip)
    words += [say("exchange of a card")] * effect.exchange
    if effect.on_cross or effect.instead:
        crossed = say("crossing: {points} instead") if effect.instead else say("crossing: {points}")
        words.append(crossed.format(points=signed(effect.on_cross)))
    if effect.levy:
        words.append(say("crossing: {points} from each other player").format(points=signed(effect.levy)))
    return ", ".join(words)


def effect_keys(rules: AddingRules) -> list[Rank | Card]:
    """The keys of the effect chart in reading order: ace, two … king, each followed by its single cards."""
    keys: list[Rank | Card] = []
    for rank in (Rank.ACE, *[rank for rank in Rank if rank is not Rank.ACE]):
        single = [key for key in rules.effects if isinstance(key, Card) and key.rank == rank]
        keys += [rank, *sorted(single, key=card_order)]
    return keys
