"""The six games, each line beside the sentence of the text that it comes from.

Marks such as RU-a.6 are the numbers of the unsure sentences; `readings` tells what else they could mean.
"""

from ninety_nine_kit.card import Rank, Suit
from ninety_nine_kit.events import N_
from ninety_nine_kit.rules import AddingRules, Chart, Effect, Milestone, Premium, Rules, Source, TrickRules

SIX_TO_ACE = tuple(Rank)[tuple(Rank).index(Rank.SIX) :]
NO_TRUMP: Chart[int, Suit | None] = Chart(dict.fromkeys(range(5)))

TRICKS_RU = TrickRules(
    name="tricks-ru",
    title=N_("Tricks, Russian text"),
    source=Source("RU-a", "ru", "Девяносто девять (99) - первый вариант игры"),
    players=(3,),  # «Количество игроков: 3»
    ranks=SIX_TO_ACE,  # «Старшинство карт: 6, 7, 8, 9, 10, В, Д, К, Т»
    hand_size=12,  # «каждому игроку сдается по 12 карт»
    bid_cards=3,  # «каждый игрок кладет перед собой лицом вниз три карты»
    # «♣ - обозначает 3 взятки, ♥ - 2 взятки, ♠ - 1 взятка, ♦ - 0 взяток»
    bid_values=Chart({Suit.CLUBS: 3, Suit.HEARTS: 2, Suit.SPADES: 1, Suit.DIAMONDS: 0}),
    trick_points=1,  # «За каждую взятую взятку игрок получает 1 очко, независимо от торговли»
    # «3 контракта … по 10 очков, … 2 контракта … по 20 очков, … 1 контракт … 30 очков»
    success_bonus=Chart({0: 0, 1: 30, 2: 20, 3: 10}),
    first_trump=None,
    trump_after=NO_TRUMP,  # the text never speaks of trump (RU-a.10)
    # «получает дополнительные 30 очков за его исполнение и минус 60 очков, если его не исполнит» (RU-a.6)
    premiums=(Premium(N_("declare"), made=30, failed=-60),),
    target=100,  # «Игрок, который первым наберет 100 или более очков, становится победителем»
    games=3,  # «Обычно для выявления победителя играют 3 игры» (RU-a.9)
)

TRICKS_FR = TrickRules(
    name="tricks-fr",
    title=N_("Tricks, French text"),
    source=Source("FR", "fr", "Le jeu de cartes 99"),
    players=(3,),  # «un jeu standard de 99 est pour trois joueurs»
    ranks=SIX_TO_ACE,  # «Seules les cartes de six à As sont utilisés»
    hand_size=12,  # «Les joueurs reçoivent 12 cartes chacun»
    bid_cards=3,  # «choisir trois cartes de votre main et les déposer sur la table»
    # «clubs égaux à trois, coeurs égaux à deux, bêches égaux l'un et de diamants égaux à zéro»
    bid_values=Chart({Suit.CLUBS: 3, Suit.HEARTS: 2, Suit.SPADES: 1, Suit.DIAMONDS: 0}),
    trick_points=1,  # «Vous obtenez un point pour chaque tour que vous avez gagné»
    # «30 points si vous étiez le seul à le faire, 20 si deux personnes ont réussi et 10 si les trois ont fait»
    success_bonus=Chart({0: 0, 1: 30, 2: 20, 3: 10}),
    first_trump=None,  # «Il n'y a pas d'atouts sur la première affaire»
    # «Clubs si les trois ont fait, coeurs si deux, si l'on pique et diamants si aucun»; 4 is for four players (W39)
    trump_after=Chart({0: Suit.DIAMONDS, 1: Suit.SPADES, 2: Suit.HEARTS, 3: Suit.CLUBS, 4: None}),
    # «30 points supplémentaires si vous «déclaré» et gagné votre contrat et 60 si vous "révélé." … ne gagne pas votre
    # contrat, tous les autres joueurs obtiennent ces points»
    premiums=(
        Premium(N_("declare"), made=30, others=30),
        Premium(N_("reveal"), made=60, others=60, opens_hand=True),
    ),
    target=100,  # «Le premier à 100 points gagne la partie»
    games=1,
)

PLUS_FACE: dict[str, Effect | tuple[Effect, ...]] = {rank: Effect(add=int(rank)) for rank in Rank if rank.isdigit()}
ACE_LOW_OR_HIGH = (Effect(add=1), Effect(add=11))
TEN_UP_OR_DOWN = (Effect(add=10), Effect(add=-10))
TO_99 = Effect(set_to=99)

ADDING_RU = AddingRules(
    name="adding-ru",
    title=N_("Adding, Russian text"),
    source=Source("RU-c", "ru", "Девяносто девять (99) - второй вариант игры"),
    players=(2, 3, 4, 5),  # «Количество игроков: 2, 3, 4, 5»
    packs=1,  # «Количество колод: 1»
    hand_size=3,  # «каждому игроку раздается по 3 карты» (RU-c.1)
    effects=Chart(
        {
            **PLUS_FACE,
            "A": ACE_LOW_OR_HIGH,  # «увеличивает значение суммы на 1 или 11 очков, на выбор игрока»
            "4": Effect(reverse=True),  # «значение суммы остается прежним, но меняется направление игры»
            "9": Effect(set_to=0),  # «значение суммы становится равным нулю» (RU-c.2)
            "10": TEN_UP_OR_DOWN,  # «увеличивает или уменьшает значение суммы на 10, на выбор игрока»
            "J": Effect(add=10),  # «валет или дама - увеличивает значение суммы на 10»
            "Q": Effect(add=10),
            "K": TO_99,  # «значение суммы становится равным 99 независимо от того, какой сумма была до этого»
        }
    ),
    start=0,  # «Если карту кладет первый игрок, то он называет только стоимость в очках своей карты» (RU-c.3)
    limit=99,
    over_limit="play on",  # «Если игрок сделал сумму более 99, то он становится проигравшим и выбывает» (RU-c.4)
    lives=1,
    objective="last in",  # «банк достается игроку, который выигрывает игру»
)

ADDING_ES = AddingRules(
    name="adding-es",
    title=N_("Adding, Spanish text"),
    source=Source("ES", "es", "99"),
    players=tuple(range(3, 9)),  # «3 o más» (ES.9)
    packs=Chart({3: 1, 4: 1, 5: 2, 6: 2, 7: 2, 8: 2}),  # «lo recomendable una baraja por cada 4 jugadores»
    hand_size=3,  # «Inicialmente se reparten tres cartas a cada uno»
    effects=Chart(
        {
            **PLUS_FACE,  # «las cartas del 1 al 9 tienen el valor propio de la carta (1 a 9)»
            "A": Effect(add=1),
            "10": Effect(add=-10),  # «el 10 tiene un valor de -10»
            "J": Effect(),  # «la J representa la acción de pasar turno»
            "Q": Effect(reverse=True),  # «y la Q la de cambio del sentido de los turnos»
            "K": TO_99,  # «deberá decir "99", siendo a partir de dicho momento el valor de la cuenta de 99» (ES.1)
        }
    ),
    direction=1,  # «escogiendo un sentido de giro inicial» (ES.3)
    limit=99,
    over_limit="deal over",  # «El juego termina cuando un jugador no puede jugar una carta sin que la cuenta exceda»
    lives=3,  # «fijar de antemano el número de veces que debe perderse» (ES.4)
    objective="first out",  # «para ser declarado definitivamente perdedor»
)

ADDING_PL = AddingRules(
    name="adding-pl",
    title=N_("Adding, Polish text"),
    source=Source("PL", "pl", "PRZEGLĄD DZIEWIĘĆDZIESIĄT DZIEWIĘĆ"),
    players=tuple(range(2, 9)),  # «2 lub więcej graczy»
    packs=Chart({2: 1, 3: 1, **dict.fromkeys(range(4, 9), 2)}),  # «lub dwie talie dla 4 lub więcej graczy»
    hand_size=3,  # «każdemu graczowi rozdawane są 3 karty»
    effects=Chart(
        {
            **PLUS_FACE,  # «2, 3, 5, 6, 7 i 9 zwiększają wartość stosu … według … wartości liczbowej» (PL.1)
            "A": ACE_LOW_OR_HIGH,  # «Asy mają wartość 1 lub 11 według uznania gracza»
            "4": Effect(reverse=True),  # «Czwórki zmieniają rotację gry, ale wartość … pozostaje taka sama»
            "9": Effect(),  # «Dziewiątki mają wartość 0»
            "10": TEN_UP_OR_DOWN,  # «Dziesiątki mogą dodawać lub odejmować 10»
            "J": Effect(add=10),  # «Damy i walety mają wartość 10»
            "Q": Effect(add=10),
            "K": TO_99,  # «Króle ustawiają wartość stosu na 99»
        }
    ),
    limit=99,
    over_limit="deal over",  # «wartość stosu przekroczy 99 punktów, gracz traci żeton … rozpoczyna się nowa runda»
    # «5 żetonów lub groszy (3 w przypadku gry z 4 lub więcej graczami)»
    lives=Chart({2: 5, 3: 5, **dict.fromkeys(range(4, 9), 3)}),
    objective="last in",  # «Celem Ninety-Nine jest pozostanie ostatnim graczem»
)

# «При желании игроков направление игры может поменяться на противоположное» (RU-d.10)
PAIRS_TO = {rank: (Effect(set_to=n), Effect(set_to=n, reverse=True)) for rank, n in (("3", 33), ("6", 66), ("9", 99))}

PARANOIA_RU = AddingRules(
    name="paranoia-ru",
    title=N_("Paranoia, as in the Russian text"),
    source=Source("RU-d", "ru", "Девяносто девять (Паранойя) - третий вариант игры"),
    players=(2, 3, 4, 5),  # «Количество игроков: 2, 3, 4, 5»
    packs=Chart({2: 1, 3: 1, 4: 2, 5: 2}),  # «Если играют 4 и более человек, то играют двумя колодами» (RU-d.13)
    hand_size=3,  # «каждому игроку сдается по 3 карты»
    effects=Chart(
        {
            **PLUS_FACE,  # «3 - увеличивает счет на 3», and so 5, 6, 7, 9
            "A": ACE_LOW_OR_HIGH,  # «увеличивает счет по желанию игрока на 1 или 11»
            "2": Effect(add=2, exchange=True),  # «увеличивает счет на 2 … игроки обмениваются между собой» (RU-d.23)
            "4": Effect(reverse=True),  # «счет остается на месте. Изменяется направление игры»
            "8": Effect(),  # «счет остается на месте»
            "10": TEN_UP_OR_DOWN,  # «увеличивает или уменьшает по желанию игрока счет на 10»
            "J": Effect(add=10, on_cross=-1),  # «Если … пересек счет …, то получает минус одно очко» (RU-d.6)
            "Q": Effect(add=10, on_cross=-2),  # «… то получает минус два очка» (RU-d.7)
            "K": Effect(add=10, exchange=True),  # «увеличивает счет на 10 … меняют по одной своей карте»
        }
    ),
    # «Король и король - увеличивает счет на 10 … получает от каждого игрока по одному очку» (RU-d.8, RU-d.9)
    pairs=Chart({**PAIRS_TO, "K": (Effect(add=10, levy=1),)}),
    limit=99,
    over_limit="allowed",  # «пересекает границу счета 99/100, … заканчивается раунд»
    # «границу счета 33/34 … одно очко», «66/67 … 2 очка», «99/100 … 3 очка»
    milestones=(Milestone(33, 1), Milestone(66, 2), Milestone(99, 3)),
    penalties=Chart({"J♠": -3, "J♥": -3, "Q♠": -5, "Q♣": -5}),  # «♠ Валет - минус 3 очка» and the three after it
    rounds=3,  # «должны договориться о том: сколько раундов будут играть»
    objective="high",  # «Цель игры: набрать наибольшее количество очков» (RU-d.1)
)

#: The six games by name, in the order of the texts.
PRESETS: Chart[str, Rules] = Chart(
    {rules.name: rules for rules in (TRICKS_RU, TRICKS_FR, ADDING_RU, ADDING_ES, ADDING_PL, PARANOIA_RU)}
)
