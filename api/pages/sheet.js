/** The score sheet of a match: a row for each hand or game, with what it brought and the points after it. */

import { h, inWords } from "./dom.js";
import { get } from "./server.js";

/** @typedef {{no: string, event: string, gained: string[], totals: string[]}} Row */

/** @param {string} id of the match @param {string[]} names of the seats */
export async function drawSheet(id, names) {
  const rows = scored(await get(`/v1/matches/${id}/export/csv`), names.length);
  if (!rows.length) return h("p", { "data-key": "sheet" }, "Nothing has been scored yet.");
  return h("table.sheet", { "data-key": "sheet" },
    h("thead", null, h("tr", null, h("td"), names.map((name) => h("th", { scope: "col" }, h("span", null, name))))),
    h("tbody", null, rows.map((row) => h("tr", { title: inWords(row.event) },
      h("th", { scope: "row" }, row.no || "end"),
      row.totals.map((total, seat) => h("td", null, h("b", null, total), signed(row.gained[seat]) && h("small", null, signed(row.gained[seat]))))))));
}

/** @param {string} gained */
const signed = (gained) => (gained === "" || Number(gained) === 0 ? "" : Number(gained) > 0 ? `+${gained}` : gained.replace("-", "−"));

/** @param {string} text @param {number} seats @returns {Row[]} */
function scored(text, seats) {
  const [, ...lines] = cellsOf(text);
  return lines.map(([no, event, ...rest]) => ({ no, event, gained: rest.slice(0, seats), totals: rest.slice(seats, 2 * seats) }));
}

/** The cells of a text with commas; one that holds a comma or a quotation mark stands in such marks. @param {string} text */
function cellsOf(text) {
  return text.trimEnd().split("\n").map((line) => [...`${line},`.matchAll(/(?:"((?:[^"]|"")*)"|([^,]*)),/g)]
    .map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain));
}
