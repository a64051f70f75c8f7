/**
 * From the seed of a match to dice, picks and shuffles.
 */

const encoder = new TextEncoder();

/** @param {CryptoKey} key @param {string} message */
export const hmac = async (key, message) => new Uint8Array(await crypto.subtle.sign("HMAC", key, encoder.encode(message)));

/** @param {Uint8Array} seed */
export const keyOf = (seed) => crypto.subtle.importKey("raw", /** @type {any} */ (seed), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);

/** The numbers of one draw. */
export class Stream {
  /** @param {CryptoKey} key @param {string} prefix */
  constructor(key, prefix) {
    this.key = key;
    this.prefix = prefix;
    this.block = 0;
    /** @type {number[]} */
    this.words = [];
  }

  /** @param {number} k @returns {Promise<number>} */
  async below(k) {
    const limit = 2 ** 32 - (2 ** 32 % k);
    for (;;) {
      if (!this.words.length) {
        const view = new DataView((await hmac(this.key, `${this.prefix}${this.block}`)).buffer);
        this.words = [...Array(8).keys()].map((n) => view.getUint32(4 * n));
        this.block += 1;
      }
      const word = /** @type {number} */ (this.words.shift());
      if (word < limit) return word % k;
    }
  }
}

/** Whether there is such a draw, and not one that takes for ever. @param {unknown} kind @param {unknown} size */
export function canBeDrawn(kind, size) {
  if (!Array.isArray(size) || !size.every((one) => Number.isInteger(one) && one >= 0 && one < 65536)) return false;
  if (kind === "shuffle") return size.length === 1;
  return size.length === { pick: 1, dice: 2 }[String(kind)] && size[size.length - 1] > 0;
}

/** @param {Stream} stream @param {string} kind @param {number[]} size */
export async function drawn(stream, kind, size) {
  if (kind === "pick") return [await stream.below(size[0])];
  if (kind === "dice") {
    const dice = [];
    for (let n = 0; n < size[0]; n += 1) dice.push(1 + (await stream.below(size[1])));
    return dice;
  }
  const order = [...Array(size[0]).keys()];
  for (let last = size[0] - 1; last > 0; last -= 1) {
    const other = await stream.below(last + 1);
    [order[last], order[other]] = [order[other], order[last]];
  }
  return order;
}
