// One component of a glob (`*.test.ts`, `[a-c]?`, `@(x|y)*`) compiled to a test of one file name. The meaning is minimatch's
// with dot files included. The work for a name of n characters and a pattern of m is at most n·m steps: a regular expression
// needs 550 ms for `*a*a*a*b` against one name of 255 a's, and nobody can interrupt it.
import { DiskError } from "../errors.ts";
import { character, hasProperties, parseClass } from "./glob-class.ts";
import { run, type Split, type Step } from "./glob-run.ts";

export type NameTest = (name: string) => boolean;

interface Program {
  readonly steps: Step[];
  /** Characters are code points, because a class such as [:alpha:] is in the pattern; else UTF-16 units, as minimatch has it. */
  readonly whole: boolean;
}

const GROUP = "?*+@!";
const MAX_GROUP_DEPTH = 3;
const UNCLOSED = -2;
const anyChar = () => true;

export function compileName(text: string): NameTest {
  return simple(text) ?? general(text);
}

/** Text and stars only, as nearly every pattern is: the first place where a middle part fits is as good as any other. */
function simple(text: string): NameTest | undefined {
  if (/[?[\]\\()]/.test(text)) return undefined;
  const parts = text.split(/\*+/);
  const [head = ""] = parts;
  const tail = parts.at(-1) ?? "";
  const middles = parts.slice(1, -1);
  if (parts.length === 1) return (name) => name === text;
  if (middles.length > 0) return (name) => name.length >= head.length + tail.length && fits(name, head, middles, tail);
  if (head === "") return tail === "" ? anyChar : (name) => name.endsWith(tail);
  return (name) => name.length >= head.length + tail.length && name.startsWith(head) && name.endsWith(tail);
}

function fits(name: string, head: string, middles: readonly string[], tail: string): boolean {
  if (!name.startsWith(head) || !name.endsWith(tail)) return false;
  const end = name.length - tail.length;
  let at = head.length;
  for (const middle of middles) {
    const found = name.indexOf(middle, at);
    if (found < 0) return false;
    at = found + middle.length;
  }
  return at <= end;
}

function general(text: string): NameTest {
  const steps: Step[] = [];
  const whole = hasProperties(text);
  parts({ steps, whole }, text, 0, text.length, 0, text);
  return (name) => run(steps, whole ? Array.from(name) : name);
}

/** Writes the steps of text[from..to). */
function parts(program: Program, text: string, from: number, to: number, depth: number, all: string): void {
  let brackets = true;
  let groups = true;
  for (let at = from; at < to; at++) {
    const c = character(text, at, program.whole);
    at += c.length - 1;
    const group = groups && GROUP.includes(c) && text.charAt(at + 1) === "(" ? closing(text, at + 1, to) : -1;
    // A group that is never closed is text from here on, its stars and question marks excepted.
    if (group === UNCLOSED) groups = false;
    if (group >= 0) {
      writeGroup(program, c, text, at + 2, group, depth + 1, all);
      at = group;
    } else if (c === "*") {
      // minimatch: several stars are one.
      if (program.steps.at(-1)?.op !== "star" || text.charAt(at - 1) !== "*") program.steps.push({ op: "star" });
    } else if (c === "?") {
      program.steps.push({ op: "one", test: anyChar });
    } else if (c === "\\" && at + 1 < to) {
      at += 1;
      const char = character(text, at, program.whole);
      at += char.length - 1;
      program.steps.push({ op: "char", char });
    } else if (c === "[" && brackets) {
      const found = parseClass(text.slice(at, to), program.whole);
      if (found === undefined) {
        // Never closed: from here on brackets are text, and minimatch sees no groups either.
        brackets = false;
        groups = false;
        program.steps.push({ op: "char", char: c });
        continue;
      }
      program.steps.push(found.test ? { op: "one", test: found.test } : { op: "never" });
      at += found.length - 1;
    } else {
      program.steps.push({ op: "char", char: c });
    }
  }
}

function writeGroup(program: Program, kind: string, text: string, from: number, to: number, depth: number, all: string): void {
  if (depth > MAX_GROUP_DEPTH) throw refused(all, `groups nested more than ${MAX_GROUP_DEPTH} deep`);
  if (kind === "!" && depth > 1) throw refused(all, "!(…) inside another group");
  const { steps } = program;
  const bodies = alternatives(text, from, to);
  if (kind === "!") {
    // `!()` is "something"; names are never empty, so a star with one character.
    if (bodies.length === 1 && from === to) {
      steps.push({ op: "one", test: anyChar }, { op: "star" });
      return;
    }
    const not: Step = { op: "not", star: 0 };
    steps.push(not);
    const exits = writeBodies(program, bodies, text, depth, all);
    not.star = steps.length;
    steps.push({ op: "star" });
    for (const exit of exits) exit.to = steps.length;
    return;
  }
  const optional: Split | undefined = kind === "?" || kind === "*" ? { op: "split", to: [steps.length + 1] } : undefined;
  if (optional) steps.push(optional);
  const start = steps.length;
  for (const exit of writeBodies(program, bodies, text, depth, all)) exit.to = steps.length;
  const split = steps[start];
  if ((kind === "*" || kind === "+") && split?.op === "split") {
    split.again = steps.length;
    steps.push({ op: "again", to: start });
  }
  optional?.to.push(steps.length);
}

/** A split to each alternative; the returned jumps leave the group. */
function writeBodies(program: Program, bodies: [number, number][], text: string, depth: number, all: string): { to: number }[] {
  const split: Split = { op: "split", to: [] };
  program.steps.push(split);
  return bodies.map(([from, to]) => {
    split.to.push(program.steps.length);
    parts(program, text, from, to, depth, all);
    const jump = { op: "jump" as const, to: 0 };
    program.steps.push(jump);
    return jump;
  });
}

function alternatives(text: string, from: number, to: number): [number, number][] {
  const found: [number, number][] = [];
  let start = from;
  for (let at = from; at < to; at = after(text, at, to)) {
    if (text.charAt(at) !== "|") continue;
    found.push([start, at]);
    start = at + 1;
  }
  found.push([start, to]);
  return found;
}

/** The `)` of the group whose `(` is at `open`, or UNCLOSED. */
function closing(text: string, open: number, to: number): number {
  for (let at = open + 1; at < to; at = after(text, at, to)) if (text.charAt(at) === ")") return at;
  return UNCLOSED;
}

/** The place after the character, escape, class or inner group at `at`. */
function after(text: string, at: number, to: number): number {
  const c = text.charAt(at);
  if (c === "\\") return at + 2;
  if (c === "[") return at + (parseClass(text.slice(at, to))?.length ?? 1);
  if (GROUP.includes(c) && text.charAt(at + 1) === "(") {
    const end = closing(text, at + 1, to);
    return end < 0 ? to : end + 1;
  }
  return at + 1;
}

function refused(all: string, what: string): DiskError {
  return new DiskError("invalid", `Pattern is not supported: ${what} in "${all.slice(0, 80)}". Write it as several patterns.`);
}
