/**
 * JSON, strictly: for each value there is one way only to write it.
 *
 * `JSON.parse` forgets keys that stand twice, rounds large numbers, and puts keys such as "10" in another order. So
 * objects are read into Maps, which keep what was written.
 */

const DEEPEST = 40;
const LARGEST = Number.MAX_SAFE_INTEGER;
const LONELY = /\p{Surrogate}/u; // half of a character, which UTF-8 cannot write

/** @typedef {null | boolean | number | string | any[] | Map<string, any>} Value lists and objects hold such values again */

/** @param {string} text @returns {Value} */
export const parse = (text) => new Reader(text).whole();

class Reader {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
    this.at = 0;
  }

  /** @param {string} why @returns {never} */
  fail(why) {
    throw new SyntaxError(`${why} at character ${this.at + 1}`);
  }

  space() {
    while (" \t\n\r".includes(this.text[this.at]) && this.at < this.text.length) this.at += 1;
  }

  /** @param {string} sign */
  takes(sign) {
    this.space();
    if (this.text[this.at] !== sign) return false;
    this.at += 1;
    return true;
  }

  /** @returns {Value} */
  whole() {
    const found = this.value(0);
    this.space();
    if (this.at !== this.text.length) this.fail("something follows the value");
    return found;
  }

  /** @param {number} depth @returns {Value} */
  value(depth) {
    if (this.takes("{")) return this.object(this.inside(depth));
    if (this.takes("[")) return this.list(this.inside(depth));
    if (this.text[this.at] === '"') return this.string();
    for (const [word, meant] of /** @type {[string, Value][]} */ ([["true", true], ["false", false], ["null", null]])) {
      if (this.text.startsWith(word, this.at)) {
        this.at += word.length;
        return meant;
      }
    }
    return this.number();
  }

  /** @param {number} depth */
  inside(depth) {
    return depth < DEEPEST ? depth + 1 : this.fail("it is nested too deeply");
  }

  /** @param {number} depth @returns {Map<string, Value>} */
  object(depth) {
    const found = new Map();
    if (this.takes("}")) return found;
    do {
      this.space();
      const key = this.string();
      if (found.has(key)) this.fail("a key stands twice in one object");
      if (!this.takes(":")) this.fail("a colon is missing");
      found.set(key, this.value(depth));
    } while (this.takes(","));
    if (!this.takes("}")) this.fail("an object does not end");
    return found;
  }

  /** @param {number} depth @returns {Value[]} */
  list(depth) {
    /** @type {Value[]} */
    const found = [];
    if (this.takes("]")) return found;
    do found.push(this.value(depth));
    while (this.takes(","));
    if (!this.takes("]")) this.fail("a list does not end");
    return found;
  }

  string() {
    const quoted = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
    quoted.lastIndex = this.at;
    const text = quoted.exec(this.text)?.[0];
    if (text === undefined) return this.fail("a text was expected");
    this.at += text.length;
    const found = /** @type {string} */ (JSON.parse(text));
    return LONELY.test(found) ? this.fail("a text holds half a character") : found;
  }

  number() {
    const found = /-?(?:0|[1-9][0-9]*)(?![0-9.eE])/y;
    found.lastIndex = this.at;
    const text = found.exec(this.text)?.[0];
    if (text === undefined || text === "-0" || Math.abs(Number(text)) > LARGEST || text.length > 17) return this.fail("a whole number within bounds was expected");
    this.at += text.length;
    return Number(text);
  }
}

/**
 * Canonical JSON: keys in the order of their code points, no white space, and only what must be escaped is.
 * @param {Value} value
 * @returns {string}
 */
export function canonical(value) {
  if (value instanceof Map) {
    const keys = [...value.keys()].sort(byCodePoint);
    return `{${keys.map((key) => `${escaped(key)}:${canonical(/** @type {Value} */ (value.get(key)))}`).join(",")}}`;
  }
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  return typeof value === "string" ? escaped(value) : String(value);
}

/** @param {string} a @param {string} b */
function byCodePoint(a, b) {
  const [one, other] = [[...a], [...b]];
  for (let n = 0; n < Math.min(one.length, other.length); n += 1) {
    const gap = /** @type {number} */ (one[n].codePointAt(0)) - /** @type {number} */ (other[n].codePointAt(0));
    if (gap) return gap;
  }
  return one.length - other.length;
}

/** @type {Record<string, string>} */
const SHORT = { "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r", '"': '\\"', "\\": "\\\\" };

/** @param {string} text */
const escaped = (text) => `"${text.replace(/["\\\u0000-\u001f]/g, (sign) => SHORT[sign] ?? `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`)}"`;
