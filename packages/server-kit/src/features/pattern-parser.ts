// Reads a schema's pattern as far as its cost depends on it: what is read, in which order, how often. What a class or an
// escape stands for is asked of the engine itself, by trying it on a sample of characters.

export type Piece =
  /** One character of a set: a bit for each of the sample. */
  | { readonly kind: "reads"; readonly what: bigint }
  | { readonly kind: "sequence" | "choice"; readonly parts: readonly Piece[] }
  | Repeat
  /** Looks ahead or behind. */
  | { readonly kind: "look"; readonly part: Piece }
  /** `^`, `$`, `\b`. */
  | { readonly kind: "edge"; readonly start: boolean };

export interface Repeat {
  readonly kind: "repeat";
  readonly part: Piece;
  readonly least: number;
  readonly most: number;
}

export interface Parsed {
  readonly piece: Piece;
  /** The pattern can only match from the start of a text. */
  readonly anchored: boolean;
  /** The set of all characters. */
  readonly anything: bigint;
}

const TOKEN =
  /\((?:\?(?:<?[=!]|<[^>]*>|[a-z-]*:))?|[*+?]\??|\{\d+(?:,\d*)?\}\??|\[(?:\\[^]|[^\]\\])*\]|\\(?:[1-9]\d*|k<[^>]*>|[pP]\{[^}]*\}|u\{[^}]*\}|u[\dA-Fa-f]{4}|x[\dA-Fa-f]{2}|c[A-Za-z]|[^])|[^]/gu;
const QUANTIFIER = /^(?:([*+?])|\{(\d+)(,(\d*))?\})\??$/;
/** Beside ASCII: a few of each kind that classes tell apart. */
const OTHERS = "\u00a0é\u017fЖ中\u0663\u2028\u20e3\u{1f1e6}😀";
/** Tokens that may stand for characters which the sample does not hold. */
const MANY = /^(?:\.|\[|\\[pPDSW])/;
const EMPTY: Piece = { kind: "sequence", parts: [] };
const END: Piece = { kind: "edge", start: false };

/** Undefined when JavaScript cannot compile the pattern. */
export function parsePattern(pattern: string): Parsed | undefined {
  const flags = ["u", ""].find((given) => compiled(pattern, given) !== undefined);
  if (flags === undefined) return undefined;
  const sample = new Sample(pattern, flags);
  const piece = trimmed(new Parser(pattern.match(TOKEN) ?? [], sample).choice(), sample.anything);
  return { piece, anchored: anchored(piece), anything: sample.anything };
}

class Parser {
  readonly #tokens: readonly string[];
  readonly #sample: Sample;
  #at = 0;

  constructor(tokens: readonly string[], sample: Sample) {
    this.#tokens = tokens;
    this.#sample = sample;
  }

  choice(): Piece {
    const parts = [this.#sequence()];
    while (this.#tokens[this.#at] === "|") {
      this.#at++;
      parts.push(this.#sequence());
    }
    return only(parts) ?? { kind: "choice", parts };
  }

  #sequence(): Piece {
    const parts: Piece[] = [];
    for (let token = this.#tokens[this.#at]; token !== undefined && token !== "|" && token !== ")"; token = this.#tokens[this.#at]) {
      this.#at++;
      parts.push(this.#quantified(this.#atom(token)));
    }
    return only(parts) ?? { kind: "sequence", parts };
  }

  #quantified(part: Piece): Piece {
    const [found, sign, least, range, most] = QUANTIFIER.exec(this.#tokens[this.#at] ?? "") ?? [];
    if (found === undefined) return part;
    this.#at++;
    if (sign !== undefined) return { kind: "repeat", part, least: sign === "+" ? 1 : 0, most: sign === "?" ? 1 : Infinity };
    return {
      kind: "repeat",
      part,
      least: Number(least),
      most: range === undefined ? Number(least) : most === "" ? Infinity : Number(most),
    };
  }

  #atom(token: string): Piece {
    if (token.startsWith("(")) {
      const part = this.choice();
      this.#at++;
      return /^\(\?<?[=!]/.test(token) ? { kind: "look", part } : part;
    }
    if (token === "^") return { kind: "edge", start: true };
    if (token === "$") return END;
    if (token === "\\b" || token === "\\B") return { kind: "edge", start: false };
    if (/^\\(?:[1-9]|k<)/.test(token)) return { kind: "repeat", part: this.#sample.again, least: 0, most: Infinity };
    return { kind: "reads", what: this.#sample.fitting(token) };
  }
}

/** The characters that pieces are compared by. The last bit stands for all that the sample does not hold. */
class Sample {
  readonly anything: bigint;
  /** A character of what a group has read before: it may be any, but not every one will do, as it would for `[^]`. */
  readonly again: Piece;
  readonly #characters: readonly string[];
  readonly #flags: string;
  readonly #known = new Map<string, bigint>();

  constructor(pattern: string, flags: string) {
    const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
    const escaped = Array.from(pattern.matchAll(/\\(?:u\{([\dA-Fa-f]{1,6})\}|u([\dA-Fa-f]{4}))|\\x([\dA-Fa-f]{2})/g), (found) =>
      String.fromCodePoint(Math.min(0x10ffff, parseInt(found[1] ?? found[2] ?? found[3] ?? "0", 16))),
    );
    this.#characters = [...new Set([...ascii, ...Array.from(OTHERS + pattern), ...escaped])];
    this.#flags = flags;
    this.anything = (1n << BigInt(this.#characters.length + 1)) - 1n;
    this.again = { kind: "choice", parts: [{ kind: "reads", what: this.anything }] };
  }

  fitting(token: string): bigint {
    const known = this.#known.get(token);
    if (known !== undefined) return known;
    const one = compiled(`^(?:${token})$`, this.#flags);
    let what = 0n;
    let beyond = false;
    for (const [at, character] of this.#characters.entries()) {
      if (one?.test(character) !== true) continue;
      what |= 1n << BigInt(at);
      beyond ||= OTHERS.includes(character);
    }
    if (what === 0n || (beyond && MANY.test(token))) what |= 1n << BigInt(this.#characters.length);
    this.#known.set(token, what);
    return what;
  }
}

function compiled(pattern: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(pattern, flags);
  } catch {
    return undefined;
  }
}

function only(parts: readonly Piece[]): Piece | undefined {
  return parts.length === 1 ? parts[0] : undefined;
}

function anchored(piece: Piece): boolean {
  switch (piece.kind) {
    case "edge":
      return piece.start;
    case "choice":
      return piece.parts.every(anchored);
    case "sequence":
      return piece.parts.some(
        (part, at) => anchored(part) && piece.parts.slice(0, at).every(({ kind }) => kind === "look" || kind === "edge"),
      );
    default:
      return false;
  }
}

/** Without what no text can fail at: where nothing comes after them, more characters are taken or not, and it matches. */
function trimmed(piece: Piece, anything: bigint): Piece {
  if (piece.kind === "choice") return { ...piece, parts: piece.parts.map((part) => trimmed(part, anything)) };
  if (piece.kind === "repeat" && piece.part.kind === "reads") return piece.least === 0 ? EMPTY : { ...piece, most: piece.least };
  const last = piece.kind === "sequence" ? piece.parts.at(-1) : undefined;
  if (piece.kind !== "sequence" || last === undefined) return piece;
  const rest: Piece = { ...piece, parts: piece.parts.slice(0, -1) };
  const before = rest.parts.at(-1);
  // Everything up to the end is there, whatever it is.
  const sure = last === END && before?.kind === "repeat" && before.part.kind === "reads" && before.part.what === anything;
  if (sure && before.most === Infinity) return trimmed(rest, anything);
  const end = trimmed(last, anything);
  return end === EMPTY ? trimmed(rest, anything) : { ...piece, parts: [...rest.parts, end] };
}
