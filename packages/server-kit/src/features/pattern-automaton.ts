// A schema's pattern as an automaton that counts its ways: one state for each character the pattern reads, and between two of
// them the number of ways that lead there. Backtracking tries all ways in turn, so many ways for one text are much time.
// https://en.wikipedia.org/wiki/Glushkov%27s_construction_algorithm
import { parsePattern, type Piece, type Repeat } from "./pattern-parser.ts";

/** State 0 is the start; where the pattern may begin anywhere, it reads everything and leads to itself. */
export interface Automaton {
  /** What each state reads, as a set of characters: a bit each. */
  readonly reads: readonly bigint[];
  /** The states after each state, and in how many ways: 1, or 2 for several. */
  readonly next: readonly ReadonlyMap<number, number>[];
  /** The outermost unlimited repetition that each state belongs to; loops are numbered in the order of the pattern. */
  readonly loop: readonly (number | undefined)[];
}

/** Repetitions with an upper bound are written out if they are short; longer ones count as unlimited. */
const WRITTEN_OUT = { exactly: 64, optional: 16, turns: 5 };
const MOST_EDGES = 100_000;

/** What a piece begins with, what it ends with, and in how many ways it can be empty. */
interface Part {
  readonly first: ReadonlyMap<number, number>;
  readonly last: ReadonlyMap<number, number>;
  readonly empty: number;
}

const NOTHING: Part = { first: new Map(), last: new Map(), empty: 1 };

/** The automaton of a pattern; undefined when it is too large. A pattern that JavaScript cannot compile has no states. */
export function automatonOf(pattern: string): Automaton | undefined {
  const parsed = parsePattern(pattern);
  if (parsed === undefined) return { reads: [0n], next: [new Map()], loop: [undefined] };
  const builder = new Builder(parsed.anchored ? 0n : parsed.anything);
  try {
    builder.link(new Map([[0, 1]]), builder.build(parsed.piece, undefined).first);
  } catch (error) {
    if (error instanceof TooLarge) return undefined;
    throw error;
  }
  return builder;
}

class TooLarge extends Error {}

class Builder implements Automaton {
  readonly reads: bigint[];
  readonly next: Map<number, number>[] = [new Map()];
  readonly loop: (number | undefined)[];
  #loops = 0;
  #edges = 0;
  /** How often the piece at hand is written out, by the repetitions around it. */
  #turns = 1;

  constructor(everywhere: bigint) {
    this.reads = [everywhere];
    this.loop = [everywhere === 0n ? undefined : this.#loops++];
    if (everywhere !== 0n) this.next[0]?.set(0, 1);
  }

  build(piece: Piece, loop: number | undefined): Part {
    switch (piece.kind) {
      case "reads":
        return this.#state(piece.what, loop);
      case "sequence":
        return piece.parts.reduce((before, part) => this.#join(before, this.build(part, loop)), NOTHING);
      case "choice":
        return piece.parts.map((part) => this.build(part, loop)).reduce(either);
      case "repeat":
        return this.#repeat(piece, loop);
      case "look":
        // A way that leads nowhere beside the one that goes on.
        return { ...NOTHING, first: this.build(piece.part, undefined).first };
      case "edge":
        return NOTHING;
    }
  }

  link(from: Part["last"], to: Part["first"]): void {
    for (const [state, ways] of from) {
      const next = this.next[state];
      for (const [after, more] of to) {
        if (++this.#edges > MOST_EDGES) throw new TooLarge();
        next?.set(after, several((next.get(after) ?? 0) + ways * more));
      }
    }
  }

  #state(what: bigint, loop: number | undefined): Part {
    const only = new Map([[this.reads.push(what) - 1, 1]]);
    this.next.push(new Map());
    this.loop.push(loop);
    return { first: only, last: only, empty: 0 };
  }

  #join(before: Part, after: Part): Part {
    this.link(before.last, after.first);
    return {
      first: both(before.first, after.first, before.empty),
      last: both(after.last, before.last, after.empty),
      empty: several(before.empty * after.empty),
    };
  }

  #repeat({ part, least, most }: Repeat, loop: number | undefined): Part {
    const turns = this.#turns * Math.max(1, most);
    const short =
      part.kind === "reads"
        ? least <= WRITTEN_OUT.exactly && most - least <= WRITTEN_OUT.optional
        : turns <= WRITTEN_OUT.turns || most <= 1;
    if (!short) return this.#endless(part, least, loop);
    const outer = this.#turns;
    if (part.kind !== "reads") this.#turns = turns;
    const all = this.#writtenOut(part, least, most, loop);
    this.#turns = outer;
    return all;
  }

  #writtenOut(part: Piece, least: number, most: number, loop: number | undefined): Part {
    const turns = Array.from({ length: most }, () => this.build(part, loop));
    const optional = turns.slice(least).reduceRight((rest, turn) => ({ ...this.#join(turn, rest), empty: 1 }), NOTHING);
    return turns.slice(0, least).reduceRight((rest, turn) => this.#join(turn, rest), optional);
  }

  #endless(part: Piece, least: number, loop: number | undefined): Part {
    const body = this.build(part, loop ?? this.#loops++);
    this.link(body.last, body.first);
    // Turns that must be taken may be empty, which gives a choice at each of them; JavaScript takes no other empty turn.
    if (least > 1 && body.empty > 0) this.link(body.last, body.first);
    return least === 0 ? { ...body, empty: 1 } : body;
  }
}

function either(a: Part, b: Part): Part {
  return { first: both(a.first, b.first, 1), last: both(a.last, b.last, 1), empty: several(a.empty + b.empty) };
}

/** The second one's ways count `times`. */
function both(some: Part["first"], more: Part["first"], times: number): Part["first"] {
  if (times === 0 || more.size === 0) return some;
  const all = new Map(some);
  for (const [state, ways] of more) all.set(state, several((all.get(state) ?? 0) + ways * times));
  return all;
}

function several(ways: number): number {
  return Math.min(2, ways);
}
