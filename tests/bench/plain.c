/* Two of the games in plain C, played at random, for tests/bench/batch.py to measure the batch simulator by.

     plain tricks DEALS SEED    deals of tricks-ru for three players
     plain adding DEALS SEED    rounds of adding-pl for three players, with one pack

   Every choice is among all that is legal, equally likely, as the kit's random agent makes it. Of each deal the same is
   kept as batch.simulate keeps. One line comes out:
   deals, decisions, the seconds of the loop alone, and averages that tell whether the play is right. Of random bids
   0.118 are made, and a seat gets -8.11 points a deal; a round takes 12.45 lays, the one over the limit not counted. */

#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PLAYERS = 3 };

/* What is kept of each deal, as batch.simulate keeps it; of as many deals as that plays in one block. */
static struct kept {
    int dealer, first, points[PLAYERS], best[PLAYERS], won[PLAYERS], bids[PLAYERS], trump, holder;
    int lengths, decisions, turns, choices, open_bids;
} block[65536];

static inline int next_seat(int seat) { return seat == PLAYERS - 1 ? 0 : seat + 1; }

/* Random numbers: xoshiro256++ by Blackman and Vigna, filled by splitmix64. */

static uint64_t state[4];

static void seed_with(uint64_t seed) {
    for (int i = 0; i < 4; i++) {
        uint64_t z = seed += 0x9e3779b97f4a7c15;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        state[i] = z ^ (z >> 31);
    }
}

static inline uint64_t rotated(uint64_t x, int by) { return (x << by) | (x >> (64 - by)); }

/* A number from 0 to n - 1, by multiply and shift; none is likelier than another by more than n in 2^32. */
static inline int below(int n) {
    uint64_t word = rotated(state[0] + state[3], 23) + state[0], shifted = state[1] << 17;
    state[2] ^= state[0];
    state[3] ^= state[1];
    state[1] ^= state[2];
    state[0] ^= state[3];
    state[2] ^= shifted;
    state[3] = rotated(state[3], 45);
    return (int)(((word >> 32) * (uint64_t)n) >> 32);
}

static inline void swap(int *cards, int one, int other) {
    int card = cards[one];
    cards[one] = cards[other];
    cards[other] = card;
}

static void shuffle(int *cards, int size) {
    for (int last = size - 1; last > 0; last--) swap(cards, last, below(last + 1));
}

/* Tricks. A card is its suit (clubs, diamonds, hearts, spades) times 16 plus its rank, from 0 for the six. */

enum { TRICK_PACK = 36, TRICK_RANKS = 9, TRICK_HAND = 12, BID_CARDS = 3, NO_TRUMP = -1, NOBODY = -1 };

static const int bid_values[4] = {3, 0, 2, 1}, success_bonus[PLAYERS + 1] = {0, 30, 20, 10};
static const int premium_made = 30, premium_failed = -60;
/* The trump of the next deal, by the number of bids made. No constant, so that the play does ask what is trump. */
int trump_after[PLAYERS + 1] = {NO_TRUMP, NO_TRUMP, NO_TRUMP, NO_TRUMP};

static inline int suit_of(int card) { return card >> 4; }

static inline int beats(int card, int best, int trump) {
    return suit_of(card) == suit_of(best) ? card > best : suit_of(card) == trump;
}

/* The place of a random card of the suit, or of any card where there is none. */
static inline int follow(const int *hand, int size, int suit, int *choices) {
    int places[TRICK_HAND], count = 0;
    for (int place = 0; place < size; place++) {
        places[count] = place;
        count += suit_of(hand[place]) == suit;
    }
    *choices += (count ? count : size) > 1;
    return count ? places[below(count)] : below(size);
}

/* Plays a deal; returns how many bids were made. */
static int play_deal(int *pack, int dealer, int trump, struct kept *kept) {
    int hands[PLAYERS][TRICK_HAND], bids[PLAYERS] = {0}, won[PLAYERS] = {0}, points[PLAYERS];
    int eldest = next_seat(dealer), holder = NOBODY, made = 0, choices = 0, decisions = 0, open_bids = 0, top;

    shuffle(pack, TRICK_PACK);
    memcpy(hands, pack, sizeof hands); /* from a shuffled pack as good as one card at a time */

    for (int seat = 0; seat < PLAYERS; seat++) {
        for (int last = TRICK_HAND - 1; last >= TRICK_HAND - BID_CARDS; last--) {
            swap(hands[seat], last, below(last + 1));
            bids[seat] += bid_values[suit_of(hands[seat][last])];
        }
        decisions++;
    }

    for (int asked = 0, seat = eldest; asked < PLAYERS && holder == NOBODY; asked++, seat = next_seat(seat)) {
        if (below(2)) holder = seat;
        decisions++;
    }

    for (int size = TRICK_HAND - BID_CARDS, leader = eldest; size > 0; size--) {
        int led = 0, best = 0, winner = leader;
        if (size == 1)
            for (int seat = 0; seat < PLAYERS; seat++) open_bids += bids[seat] == won[seat] || bids[seat] == won[seat] + 1;
        for (int turn = 0, seat = leader; turn < PLAYERS; turn++, seat = next_seat(seat)) {
            int *hand = hands[seat], place = turn ? follow(hand, size, led, &choices) : below(size), card = hand[place];
            if (turn == 0) choices += size > 1;
            hand[place] = hand[size - 1];
            if (turn == 0) led = suit_of(card);
            if (turn == 0 || beats(card, best, trump)) {
                best = card;
                winner = seat;
            }
            decisions++;
        }
        won[winner]++;
        leader = winner;
    }

    for (int seat = 0; seat < PLAYERS; seat++) made += won[seat] == bids[seat];
    for (int seat = 0; seat < PLAYERS; seat++) {
        int kept_bid = won[seat] == bids[seat];
        points[seat] = won[seat] + (kept_bid ? success_bonus[made] : 0);
        if (seat == holder) points[seat] += kept_bid ? premium_made : premium_failed;
    }
    top = points[0];
    for (int seat = 1; seat < PLAYERS; seat++) top = points[seat] > top ? points[seat] : top;
    *kept = (struct kept){.dealer = dealer, .first = eldest, .trump = trump, .holder = holder, .open_bids = open_bids,
                          .lengths = TRICK_HAND - BID_CARDS, .turns = PLAYERS * (TRICK_HAND - BID_CARDS),
                          .decisions = decisions, .choices = choices};
    for (int seat = 0; seat < PLAYERS; seat++) {
        kept->points[seat] = points[seat];
        kept->best[seat] = points[seat] == top;
        kept->won[seat] = won[seat];
        kept->bids[seat] = bids[seat];
    }
    return made;
}

/* Adding. A card is its rank alone, from 0 for the two: suits mean nothing. */

enum { ADDING_PACK = 52, ADDING_RANKS = 13, ADDING_HAND = 3, MOST_ROWS = 2, LIMIT = 99, FOUR = 2 };

/* For each rank the rows to choose from: the total is multiplied by `keep`, then `add` is added. */
static const struct {
    int rows;
    struct { int keep, add; } row[MOST_ROWS];
} effects[ADDING_RANKS] = {
    {1, {{1, 2}}}, {1, {{1, 3}}}, {1, {{1, 0}}}, {1, {{1, 5}}}, {1, {{1, 6}}}, {1, {{1, 7}}}, {1, {{1, 8}}},
    {1, {{1, 0}}}, {2, {{1, 10}, {1, -10}}}, {1, {{1, 10}}}, {1, {{1, 10}}}, {1, {{0, 99}}}, {2, {{1, 1}, {1, 11}}},
};

/* Plays a round, up to the first lay over the limit. */
static void play_round(int *pack, int dealer, struct kept *kept) {
    int hands[PLAYERS][ADDING_HAND], stock[ADDING_PACK], pile[ADDING_PACK];
    int left = ADDING_PACK - PLAYERS * ADDING_HAND, laid = 0, total = 0, step = 1, seat = next_seat(dealer);
    int lays = 0, choices = 0;

    shuffle(pack, ADDING_PACK);
    memcpy(stock, pack, sizeof stock);
    memcpy(hands, stock + left, sizeof hands);

    for (;;) {
        int places[ADDING_HAND * MOST_ROWS], totals[ADDING_HAND * MOST_ROWS], count = 0, all = 0;
        for (int place = 0; place < ADDING_HAND; place++) {
            int card = hands[seat][place];
            for (int row = 0; row < effects[card].rows; row++) {
                places[count] = place;
                totals[count] = total * effects[card].row[row].keep + effects[card].row[row].add;
                count += totals[count] <= LIMIT;
                all++;
            }
        }
        choices += (count ? count : all) > 1;
        if (!count) break; /* whichever card is laid, it goes over */
        lays++;
        int chosen = below(count), *place = &hands[seat][places[chosen]];
        total = totals[chosen];
        if (*place == FOUR) step = PLAYERS - step;
        pile[laid++] = *place;
        if (!left) { /* the pile less its top card becomes the stock */
            left = laid - 1;
            memcpy(stock, pile, (size_t)left * sizeof *stock);
            shuffle(stock, left);
            pile[0] = pile[left];
            laid = 1;
        }
        *place = stock[--left];
        seat = (seat + step) % PLAYERS;
    }
    *kept = (struct kept){.dealer = dealer, .first = next_seat(dealer), .lengths = lays, .turns = lays + 1,
                          .decisions = lays + 1, .choices = choices};
    kept->best[seat] = 1; /* who lost the round */
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

int main(int count, char **words) {
    int tricks = count == 4 && !strcmp(words[1], "tricks"), adding = count == 4 && !strcmp(words[1], "adding");
    long deals = tricks || adding ? atol(words[2]) : 0;
    if (deals < 1) {
        fprintf(stderr, "usage: plain tricks|adding DEALS SEED\n");
        return 2;
    }
    seed_with(strtoull(words[3], NULL, 10));
    int pack[ADDING_PACK], dealer = 0, trump = NO_TRUMP;
    for (int i = 0; i < ADDING_PACK; i++) pack[i] = tricks ? i / TRICK_RANKS * 16 + i % TRICK_RANKS : i % ADDING_RANKS;
    int64_t decisions = 0, made = 0, points = 0, lays = 0;

    double start = now(), seconds;
    for (long deal = 0; deal < deals; deal++, dealer = next_seat(dealer)) {
        struct kept *kept = &block[deal % 65536];
        if (tricks) trump = trump_after[play_deal(pack, dealer, trump, kept)];
        else play_round(pack, dealer, kept);
        decisions += kept->decisions;
        lays += kept->lengths;
        for (int seat = 0; seat < PLAYERS; seat++) {
            made += kept->won[seat] == kept->bids[seat];
            points += kept->points[seat];
        }
    }
    seconds = now() - start;

    double all = (double)deals, seats = all * PLAYERS;
    printf("deals %ld decisions %" PRId64 " seconds %.6f ", deals, decisions, seconds);
    if (tricks) printf("made %.4f points %.4f\n", (double)made / seats, (double)points / seats);
    else printf("lays %.4f\n", (double)lays / all);
    return 0;
}
