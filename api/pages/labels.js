/**
 * Fields of views as they are called at a table. One word means one thing in all games, so there is one list; what is not in
 * it is called by its own name.
 */

import { inWords } from "./dom.js";

/** @type {Record<string, string>} */
const LABELS = {
  all_laid_down: "laid down",
  batter: "at bat",
  bid_hands: "hands bid",
  bids: "bid",
  bonus: "still to come",
  captured_counts: "captured",
  choice: "you give",
  choices: "choice",
  chosen: "ready",
  claim: "book of",
  compelled: "must jump from",
  concession: "would lose",
  cop: "cop hand",
  cop_count: "cop hand",
  crawford: "Crawford game",
  "cube.owner": "owns the cube",
  "cube.offered_by": "doubles",
  dark: "Dark",
  dead_cards: "left over",
  directions: "builds",
  discard_count: "discard",
  discard_under: "unseen under it",
  discard_under_count: "unseen under it",
  drawing_for_deal: "draws for the deal",
  draws_from: "is drawn from",
  drome_counts: "in the drome",
  drome_tops: "drome",
  eligible: "may play",
  entered: "has entered",
  "extras.cards": "extras",
  "extras.count": "extras",
  face_down_counts: "face down",
  faces: "dice",
  field: "field pack",
  field_count: "field pack",
  field_turned: "field card",
  free: "free throw",
  game_no: "game",
  game_points: "this game",
  goat_counts: "goat in this hand",
  goat_totals: "goat in all",
  "graft.discard": "put out",
  "graft.took": "grafted",
  hand_no: "hand",
  hands: "in hand",
  kid_o_card: "Kid-O card",
  kid_o_suit: "Kid-O suit",
  laid_down_counts: "laid down",
  line_score: "runs by inning",
  must_use_count: "must still use",
  nix_holder: "held Nix",
  number: "playing number",
  numbers: "to play",
  over: "left over",
  over_count: "left over",
  owes: "a card of your own must follow",
  "packet.cards": "secret packet",
  "packet.count": "secret packet",
  packet_no: "packet",
  pauper_taker: "has the Pauper",
  pending: "has to answer",
  placed_counts: "placed",
  player: "plays the throw",
  plays: "played",
  quiet_rounds: "rounds without a book",
  "race.claim": "book of",
  "race.order": "laid down",
  reserves: "reserve",
  round_no: "round",
  rows: "cards",
  seven_tricks: "tricks that make seven",
  side_hand_points: "this hand",
  side_totals: "points",
  stock_count: "stock",
  throw_no: "throw",
  top: "top of the pack",
  target: "plays to",
  totals: "points",
  trick_no: "trick",
  trick_points: "this hand",
  tricks_taken: "tricks",
  "tricks_taken.cards": "tricks",
  trump_missed: "you led past a trump",
  trump_missed_by: "led past a trump",
  turned: "turned up",
  turned_by: "turned it up",
  undealt: "not dealt",
  undealt_count: "not dealt",
  unused: "not dealt",
  unused_count: "not dealt",
  "walkover.cards": "shown",
  wanted_down: "descent wants",
  wanted_up: "ascension wants",
};

/** What a few words stand for, by the field they are the value of. @type {Record<string, Record<string, string>>} */
const VALUES = {
  bids: { 0: "pass" },
  bonus: { double: "a double to name", throw: "another throw" },
  directions: { U: "up", D: "down" },
  pile: { U: "ascension", D: "descent" },
};

/** @param {string} name of a field, with those of the records around it: `cube.value` */
export function labelFor(name) {
  const last = name.slice(name.lastIndexOf(".") + 1);
  return LABELS[name] ?? LABELS[last] ?? inWords(last).replace(/ counts?$/, "s");
}

/** A field of a command: `round_no` is the round. @param {string} name */
export const fieldName = (name) => inWords(name).replace(/ no$/, "");

/** @param {string} name @param {any} value */
export const valueFor = (name, value) => VALUES[name.slice(name.lastIndexOf(".") + 1)]?.[value] ?? null;
