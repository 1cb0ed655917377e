// How the time of a backtracking engine grows with the text that a pattern is tried on: the ways in which one text can be
// read, found in products of the pattern's automaton with itself.
// Weideman, van der Merwe, Berglund, Watson: "Analyzing matching time behavior of backtracking regular expression matchers
// by using ambiguity of NFA" (2016).
import { automatonOf, type Automaton } from "./pattern-automaton.ts";

/** Steps that the judgement of one pattern may take; what is still open then counts as bad. */
const MOST_STEPS = 100_000;

/**
 * The power of the text's length that the time of a pattern grows with: 1 for most patterns, 2 for `\s+$`, Infinity where it
 * doubles with each character, as for `(a+)+$`, or where the pattern is too large to tell. Never too small; may be too large.
 */
export function costOf(pattern: string): number {
  const automaton = automatonOf(pattern);
  if (automaton === undefined) return Infinity;
  const search = new Search(automaton);
  if (search.loops.some((states) => search.doubles(states))) return Infinity;
  return 1 + search.longestChain();
}

class Search {
  /** The states of each loop. */
  readonly loops: readonly (readonly number[])[];
  readonly #automaton: Automaton;
  #steps = 0;

  constructor(automaton: Automaton) {
    this.#automaton = automaton;
    const loops: number[][] = [];
    for (const [state, loop] of automaton.loop.entries()) if (loop !== undefined) (loops[loop] ??= []).push(state);
    this.loops = Array.from(loops, (states) => states ?? []); // a loop of nothing has none
  }

  /** Whether one text can lead from a state of the loop back to it in two ways: each round then doubles the ways. */
  doubles(states: readonly number[]): boolean {
    const pairs: (readonly [number, number])[] = [];
    for (const state of states) {
      for (const [a, ways] of this.#within(state)) {
        if (ways > 1) return true;
        for (const [b] of this.#within(state)) if (a < b && this.#alike(a, b)) pairs.push([a, b]);
      }
    }
    const met = this.#walk(pairs, ([a, b]) =>
      [...this.#within(a)].flatMap(([c]) => [...this.#within(b)].filter(([d]) => this.#alike(c, d)).map(([d]) => [c, d] as const)),
    );
    return met(([a, b]) => a === b);
  }

  /**
   * The most loops in a row that can share one text in as many ways as it has places: `a*a*` splits it in two anywhere.
   * Each such pair adds a power.
   */
  longestChain(): number {
    const best: number[] = [];
    for (let at = this.loops.length - 1; at >= 0; at--) {
      const states = this.loops[at] ?? [];
      const after = this.#after(states);
      best[at] = Math.max(
        0,
        ...this.loops.slice(at + 1).map((others, index) => {
          const [first] = others;
          if (first === undefined || !after.has(first)) return 0;
          return (best[at + 1 + index] ?? 0) + (this.#shares(states, others) ? 1 : 0);
        }),
      );
    }
    return Math.max(0, ...best);
  }

  /** Whether one text can stay in the first loop, stay in the second, and lead from the first to the second. */
  #shares(states: readonly number[], others: readonly number[]): boolean {
    for (const p of states) {
      for (const q of others) {
        const met = this.#walk([[p, p, q] as const], ([a, b, c]) => this.#triples(a, b, c));
        if (met(([a, b, c]) => a === p && b === q && c === q)) return true;
      }
    }
    return false;
  }

  #triples(a: number, b: number, c: number): (readonly [number, number, number])[] {
    const found: (readonly [number, number, number])[] = [];
    for (const [x] of this.#within(a)) {
      for (const [z] of this.#within(c)) {
        if (!this.#alike(x, z)) continue;
        for (const y of this.#automaton.next[b]?.keys() ?? []) if (this.#alike(x, y, z)) found.push([x, y, z]);
      }
    }
    return found;
  }

  /** Gives a question: is there a node, on any path from these, that fits? When the steps run out, there is. */
  #walk<N extends readonly number[]>(from: readonly N[], next: (node: N) => readonly N[]): (fits: (node: N) => boolean) => boolean {
    return (fits) => {
      const seen = new Set<string>();
      const open = [...from];
      for (let node = open.pop(); node !== undefined; node = open.pop()) {
        for (const after of next(node)) {
          if (++this.#steps > MOST_STEPS || fits(after)) return true;
          const key = after.join();
          if (seen.has(key)) continue;
          seen.add(key);
          open.push(after);
        }
      }
      return false;
    };
  }

  #after(states: readonly number[]): ReadonlySet<number> {
    const seen = new Set<number>(states);
    for (const state of seen) for (const next of this.#automaton.next[state]?.keys() ?? []) seen.add(next);
    return seen;
  }

  *#within(state: number): Iterable<readonly [number, number]> {
    const { next, loop } = this.#automaton;
    for (const edge of next[state] ?? []) if (loop[edge[0]] === loop[state]) yield edge;
  }

  /** Whether some character is read by all of these. */
  #alike(a: number, b: number, c = a): boolean {
    const { reads } = this.#automaton;
    return ((reads[a] ?? 0n) & (reads[b] ?? 0n) & (reads[c] ?? 0n)) !== 0n;
  }
}
