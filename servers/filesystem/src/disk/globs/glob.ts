// Globs over a walk: the official server's meaning (minimatch with dot files included, relative to the folder of the call),
// compiled once and followed folder by folder. A place says how much of the pattern the folders so far have used up, so an
// entry costs a test of its own name only, and a folder below which nothing can match is never opened.
import { expandBraces } from "./glob-braces.ts";
import { compileName, type NameTest } from "./glob-name.ts";
import { clip, DiskError } from "../errors.ts";

const MAX_LENGTH = 1024;
const MAX_PATTERNS = 100;
const MAX_COMPONENTS = 1024;
/** Of all patterns together, braces expanded: what one name may be compared with. */
const MAX_CHARACTERS = 8192;

/** Where a folder stands in each pattern. Opaque. */
export type Places = readonly (readonly number[])[];

export interface Glob {
  /** The folder that the patterns are relative to. */
  readonly start: Places;
  /** Does the entry `name` of a folder at these places match any pattern? */
  matches(places: Places, name: string): boolean;
  /** The places of the folder `name` in a folder at these places. */
  enter(places: Places, name: string): Places;
  /** Can anything below match? */
  reaches(places: Places): boolean;
  /** The whole test for one path, components joined by `/`. */
  test(path: string): boolean;
}

interface Component {
  /** Missing: `**`. */
  readonly test?: NameTest;
  readonly last: boolean;
}

interface Pattern {
  readonly components: readonly Component[];
  readonly start: readonly number[];
  readonly characters: number;
  /** `!pattern`: matches what the pattern does not. */
  readonly inverted: boolean;
}

/** Matches what any of the patterns matches. */
export function compileGlobs(patterns: readonly string[]): Glob {
  if (patterns.length > MAX_PATTERNS) {
    throw new DiskError(
      "invalid",
      `Expected at most ${MAX_PATTERNS} patterns, got ${patterns.length}. Join some of them with braces: {a,b}.`,
    );
  }
  const compiled: Pattern[] = [];
  let components = 0;
  let characters = 0;
  for (const pattern of patterns) {
    if (pattern === "" || pattern.startsWith("#")) continue;
    const made = compilePattern(pattern);
    components += made.components.length;
    characters += made.characters;
    if (components > MAX_COMPONENTS || characters > MAX_CHARACTERS) {
      throw new DiskError("invalid", "The patterns are too large together. Use fewer or shorter ones, or several calls.");
    }
    compiled.push(made);
  }
  const start = compiled.map((pattern) => pattern.start);
  const matches = (places: Places, name: string) =>
    compiled.some((pattern, i) => hits(pattern, places[i] ?? [], name) !== pattern.inverted);
  const enter = (places: Places, name: string) => {
    const below = compiled.map((pattern, i) => follow(pattern, places[i] ?? [], name));
    // Below `**/x` nearly every folder stands where its parent stands: keep the one array.
    return below.every((list, i) => list === places[i]) ? places : below;
  };
  return {
    start,
    matches,
    enter,
    reaches: (places) => compiled.some((pattern, i) => pattern.inverted || (places[i]?.length ?? 0) > 0),
    test(path) {
      const names = path.split("/");
      const name = names.pop() ?? "";
      return matches(
        names.reduce<Places>((places, folder) => enter(places, folder), start),
        name,
      );
    },
  };
}

/**
 * The tree's rule for what to leave out: a pattern without `*` also matches anywhere. (What lies below a match is never reached.)
 * With a slash at its end it matches what lies below such a folder, which stays and is empty.
 */
export function compileTreeExcludes(patterns: readonly string[]): Glob {
  return compileGlobs(
    patterns.flatMap((pattern) => {
      if (pattern.includes("*") || pattern === "") return [pattern];
      return [pattern, pattern.endsWith("/") ? `**/${pattern}**` : `**/${pattern}`];
    }),
  );
}

function compilePattern(pattern: string): Pattern {
  if (pattern.length > MAX_LENGTH) {
    throw new DiskError("invalid", `Expected a pattern of at most ${MAX_LENGTH} characters, got ${pattern.length}: ${clip(pattern, 60)}`);
  }
  const text = pattern.replace(/^!+/, "");
  const components: Component[] = [];
  const starts: number[] = [];
  const alternatives = expandBraces(text);
  for (const alternative of alternatives) {
    const names = folded(alternative.split(/\/+/));
    // A name is never empty, `.` or `..`: patterns with a slash at either end, or that climb, match nothing.
    if (names.some((name) => name === "" || name === "." || name === "..")) continue;
    starts.push(components.length);
    for (const [i, name] of names.entries()) {
      const last = i === names.length - 1;
      components.push(name === "**" ? { last } : { last, test: compileName(name) });
    }
  }
  const start: number[] = [];
  for (const place of starts) arrive(components, place, start);
  const characters = alternatives.reduce((sum, alternative) => sum + alternative.length, 0);
  return { components, start, characters, inverted: (pattern.length - text.length) % 2 === 1 };
}

/** As minimatch: `a/../b` is `b`, `**` twice is once. */
function folded(names: readonly string[]): string[] {
  const kept: string[] = [];
  for (const name of names) {
    const before = kept.at(-1);
    if (name === "**" && before === "**") continue;
    if (name === ".." && before !== undefined && !["", ".", "..", "**"].includes(before)) kept.pop();
    else kept.push(name);
  }
  return kept.length > 0 ? kept : [""];
}

/** `**` may stand for no folder at all, unless it is the end. */
function arrive(components: readonly Component[], place: number, into: number[]): void {
  const component = components[place];
  if (component === undefined || into.includes(place)) return;
  into.push(place);
  if (component.test === undefined && !component.last) arrive(components, place + 1, into);
}

function hits(pattern: Pattern, places: readonly number[], name: string): boolean {
  for (const place of places) {
    const component = pattern.components[place];
    if (component?.last && (component.test === undefined || component.test(name))) return true;
  }
  return false;
}

function follow(pattern: Pattern, places: readonly number[], name: string): readonly number[] {
  const below: number[] = [];
  for (const place of places) {
    const component = pattern.components[place];
    if (component === undefined) continue;
    if (component.test === undefined) arrive(pattern.components, place, below);
    else if (!component.last && component.test(name)) arrive(pattern.components, place + 1, below);
  }
  return below.length === places.length && below.every((place, i) => place === places[i]) ? places : below;
}
