/**
 * What chance means in each game: the unshuffled pack, and where its cards go. The same in all versions of the rules so far.
 *
 * A pack is a list of cards; place j of the shuffled one holds card `result[j]` of it. Hands are compared whatever order
 * their cards have, since players hold them sorted.
 */

import { canonical } from "./exact.js";

/** @param {number} from @param {number} to */
const range = (from, to) => [...Array(to - from + 1).keys()].map((n) => n + from);

/** @param {string} suits @param {number[]} numbers */
const crown = (suits, numbers) => [...suits].flatMap((suit) => numbers.map((number) => `${suit}-${number}`));

/** @param {number} top */
const trix = (top) => range(0, top).flatMap((high) => range(0, high).map((low) => [high, low]));

/** @param {number[][]} cards */
const written = (cards) => cards.map(([high, low]) => `${high}-${low}`);

const FULL = crown("CROW", range(1, 13));
const RUSTLE = crown("CROW", [6, 7, 8, 9, 10, 11, 12, 13, 1]);
const PRINCE = [...crown("C", range(1, 12)), ...crown("RO", range(1, 13)), ...crown("W", range(2, 13)), "PRINCE", "PAUPER"];
const SIXES = /** @type {Record<number, string[]>} */ ({ 5: ["W-6"], 7: ["W-6"], 8: ["C-6", "R-6", "O-6", "W-6"] });

/** @typedef {(string | number)[]} Cards */

/** One card at a time from the dealer's left: so many to each, or all there are. @param {Cards} cards @param {number} dealer @param {number} seats @param {number} [each] */
function round(cards, dealer, seats, each) {
  /** @type {Cards[]} */
  const hands = range(1, seats).map(() => []);
  const end = each === undefined ? cards.length : each * seats;
  for (let n = 0; n < end; n += 1) hands[(dealer + 1 + n) % seats].push(cards[n]);
  return hands;
}

/** Packets of these sizes, one after the other, from the dealer's left. @param {Cards} cards @param {number} dealer @param {number} seats @param {number[]} sizes */
function packets(cards, dealer, seats, sizes) {
  /** @type {Cards[]} */
  const hands = range(1, seats).map(() => []);
  let at = 0;
  for (const size of sizes) {
    for (let n = 0; n < seats; n += 1) {
      hands[(dealer + 1 + n) % seats].push(...cards.slice(at, at + size));
      at += size;
    }
  }
  return hands;
}

/**
 * @typedef {object} Table
 * @property {number} seats
 * @property {(name: string, usual: any) => any} option
 * @property {string[]} packet the cards that were taken out before the deal
 */

/**
 * What an event must hold that comes of a shuffle: fields of its public part, and of its parts for the table or a seat.
 * @typedef {{pack: (t: Table) => Cards, dealt: (cards: any[], dealer: number, t: Table) => Record<string, any>}} Deal
 */

/** @type {Record<string, Record<string, Deal>>} */
const SHUFFLES = {
  aviation: {
    hand_dealt: {
      pack: () => FULL,
      dealt: (cards, dealer, { seats, option }) => {
        const size = option("drome_size", 4);
        const dromes = packets(cards, dealer, seats, [size]);
        const rest = cards.slice(size * seats);
        return { drome_tops: dromes.map((drome) => drome[size - 1]), dromes_below: dromes.map((drome) => drome.slice(0, -1)), hands: packets(rest, dealer, seats, [4]), stock: rest.slice(4 * seats) };
      },
    },
  },
  baffle: {
    hand_dealt: {
      pack: () => FULL,
      dealt: (cards, dealer, { seats }) => {
        const sixes = packets(cards, seats, seats + 1, [3, 3]); // the cop hand lies just before the dealer's
        const [cop] = sixes.splice(seats - 1, 1);
        const [turn_up, ...stock] = cards.slice(6 * (seats + 1));
        return { hands: sixes.map((_, seat) => sixes[(seat - dealer - 1 + seats) % seats]), cop, turn_up, stock };
      },
    },
  },
  "check-and-double-check": {
    hand_dealt: {
      pack: ({ seats, option }) => [...range(2, 10).flatMap((n) => Array(seats).fill(n)), ...option("misc_cards", [4, 5, 6, 7]).map(String)],
      dealt: (cards, dealer, { seats, option }) => {
        // The extra cards are texts up to here, so that they can be told apart.
        const ordered = option("discard_seed", "shuffled") === "misc" ? [...cards.filter((card) => typeof card === "number"), ...cards.filter((card) => typeof card === "string")] : cards;
        const numbers = ordered.map(Number);
        const last = numbers.length - 1;
        return { rows: round(numbers, dealer, seats, 9), discard_top: numbers[last], discard_under: numbers.slice(9 * seats, last) };
      },
    },
  },
  "crown-baseball": {
    field_shuffled: { pack: () => crown("C", range(1, 9)), dealt: (cards) => ({ field: cards }) },
    hand_dealt: {
      pack: () => crown("ROW", range(1, 9)),
      dealt: (cards, dealer) => {
        const hands = round(cards, dealer, 2, 9);
        return { hands, trump_card: hands[dealer][8], unused: cards.slice(18) };
      },
    },
  },
  flique: { hand_dealt: { pack: () => crown("CROW", range(1, 10)), dealt: (cards, dealer) => ({ hands: packets(cards, dealer, 2, [3, 3, 4]), reserve: cards.slice(20) }) } },
  goat: { hand_dealt: { pack: () => FULL, dealt: (cards, dealer, { seats }) => ({ hands: round(cards, dealer, seats) }) } },
  grafto: {
    hand_dealt: {
      pack: () => FULL,
      dealt: (cards, dealer, { seats }) => {
        const [turn_up, ...stock] = cards.slice(7 * seats);
        return { hands: round(cards, dealer, seats, 7), turn_up, stock };
      },
    },
  },
  "jack-daw": {
    hand_dealt: {
      pack: () => FULL,
      dealt: (cards, dealer, { seats }) => {
        const [top, ...pack_under] = cards.slice(6 * seats);
        return { hands: packets(cards, dealer, seats, [3, 3]), top, pack_under };
      },
    },
  },
  "kid-o": { hand_dealt: { pack: () => FULL, dealt: (cards, dealer, { seats }) => ({ hands: round(cards, dealer, seats, 6), first_card: cards[0], undealt: cards.slice(6 * seats) }) } },
  nix: {
    deal_cards_drawn: { pack: nixPack, dealt: (cards) => ({ cards }) },
    hand_dealt: { pack: nixPack, dealt: (cards, dealer, { seats }) => ({ hands: round(cards, dealer, seats) }) },
  },
  "prince-and-pauper": { hand_dealt: { pack: () => PRINCE, dealt: (cards, dealer, { seats }) => ({ hands: round(cards, dealer, seats), turned: cards[cards.length - 1] }) } },
  quenette: {
    hand_dealt: {
      pack: () => FULL,
      dealt: (cards, dealer, { seats }) => {
        const each = Math.floor(52 / seats);
        return { hands: round(cards, dealer, seats, each), extras: cards.slice(each * seats) };
      },
    },
  },
  rustle: {
    hand_dealt: {
      pack: ({ seats }) => RUSTLE.filter((card) => !(SIXES[seats] ?? []).includes(card)),
      dealt: (cards, dealer, { seats }) => {
        const each = cards.length / seats;
        const size = each / ({ 2: 3, 3: 2 }[seats] ?? 1);
        const layers = range(0, each / size - 1).map((n) => round(cards.slice(n * size * seats), dealer, seats, size));
        return { hands: layers.pop(), face_down: layers, turned: cards[cards.length - 1] };
      },
    },
  },
  "secret-seven": {
    hand_dealt: {
      pack: ({ seats, option, packet }) => {
        const sevens = seats < 4 && option("short_pack", "keep7_pick4") === "keep7_pick4";
        return crown("CROW".slice(0, seats), range(1, 13).filter((n) => n !== 7 || sevens)).filter((card) => !packet.includes(card));
      },
      dealt: (cards, dealer, { seats }) => {
        const each = Math.floor(cards.length / seats);
        return { hands: round(cards, dealer, seats, each), turned: cards[each * seats - 1], over: cards.slice(each * seats) };
      },
    },
  },
  trix: {
    deal_cards_drawn: { pack: trixPack, dealt: (cards) => ({ cards }) },
    hand_dealt: { pack: trixPack, dealt: (cards, dealer, { seats }) => ({ hands: round(cards, dealer, seats, 4), reserve: cards.slice(4 * seats) }) },
  },
};

/** @param {Table} table */
function nixPack({ seats }) {
  return written(trix(seats <= 4 ? 7 : 10));
}

/** @param {Table} table */
function trixPack({ option }) {
  const kept = { full: (/** @type {number[]} */ _) => true, short: (/** @type {number[]} */ [high]) => high >= 10, short_sum: (/** @type {number[]} */ [high, low]) => high + low >= 10 }[/** @type {"full"} */ (option("pack", "full"))];
  return written(trix(15).filter(([high, low]) => kept([high, low]) || high === low || ((high + low) % 5 === 0 && high + low > 0)));
}

/** What comes of chance alone, besides shuffles. */
const LOTS = new Set(["dealer_chosen", "deal_thrown", "dice_rolled", "opening_cast", "start_thrown"]);

const sorted = (/** @type {any} */ cards) => [...cards].sort();
const same = (/** @type {any} */ one, /** @type {any} */ other) => canonical(one ?? null) === canonical(other ?? null);

/**
 * Looks at the events of a match one by one. Says what is wrong, null where a draw came out as it had to, and undefined
 * where there is nothing it can say.
 * @param {string} game
 * @param {Map<string, any>} opened what the first event says
 * @returns {(type: string, open: Map<string, any>, parts: Map<string, Map<string, any>>) => string | null | undefined}
 */
export function deals(game, opened) {
  /** @type {Table} */
  const table = { seats: opened.get("seats").length, option: (name, usual) => opened.get("options")?.get?.(name) ?? usual, packet: [] };
  return (type, open, parts) => {
    if (game === "secret-seven" && type === "secret_set") table.packet = parts.get(String(open.get("seat")))?.get("cards") ?? [];
    const draw = open.get("draw");
    if (!draw) return SHUFFLES[game]?.[type] || LOTS.has(type) ? `${type} comes of no draw` : undefined;
    if (draw.get("kind") === "dice") return thrown(game, type, open, draw.get("result"));
    const result = parts.get("table")?.get("draw")?.get("result");
    if (type === "dealer_chosen") return open.get("seat") === result[0] ? null : "the lot names another dealer";
    const deal = SHUFFLES[game]?.[type];
    return deal && draw.get("kind") === "shuffle" ? dealt(deal, table, result, open, parts) : undefined;
  };
}

/** @param {string} game @param {string} type @param {Map<string, any>} open @param {number[]} result */
function thrown(game, type, open, result) {
  const faces = game === "check-and-double-check" ? result.map((pips) => (pips === 6 ? "CHECK" : pips)) : result;
  const shown = open.get("dice") ?? open.get("faces") ?? open.get("throws")?.flat();
  // The dice of one player have no order; those that are thrown for the start are each somebody's.
  const fits = type === "dice_rolled" ? Array.isArray(shown) && same(sorted(shown), sorted(faces)) : same(shown, faces);
  return fits ? null : "the dice show something else than was drawn";
}

/** @param {Deal} deal @param {Table} table @param {number[]} result @param {Map<string, any>} open @param {Map<string, Map<string, any>>} parts */
function dealt(deal, table, result, open, parts) {
  const pack = deal.pack(table);
  if (pack.length !== result.length) return `the pack has ${pack.length} cards, and ${result.length} were shuffled`;
  const dealer = open.get("dealer") ?? 0;
  if (!Number.isInteger(dealer) || dealer < 0 || dealer >= table.seats) return "there is no such dealer";
  const { hands, rows, cards, ...others } = deal.dealt(result.map((n) => pack[n]), dealer, table);
  for (const [seat, hand] of (hands ?? []).entries()) {
    const held = parts.get(String(seat))?.get("hands")?.get?.(String(seat));
    if (!Array.isArray(held) || !same(sorted(held), sorted(hand))) return `seat ${seat} was dealt other cards than were drawn`;
  }
  for (const [seat, row] of (rows ?? []).entries()) {
    if (!same(sorted(open.get("rows")?.[seat] ?? []), sorted(row))) return `seat ${seat} was dealt other cards than were drawn`;
  }
  if (cards && !same(open.get("cards"), cards.slice(0, open.get("seats")?.length))) return "other cards were drawn than are shown";
  for (const [name, value] of Object.entries(others)) {
    const found = open.has(name) ? open.get(name) : parts.get("table")?.get(name);
    const fits = name === "cop" && Array.isArray(found) ? same(sorted(found), sorted(value)) : same(found, value);
    if (!fits) return `${name} does not come from the draw`;
  }
  return null;
}
