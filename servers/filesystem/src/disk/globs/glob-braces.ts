// Brace expansion for globs, as minimatch (and bash) do it: `{a,b{c,d}}`, `{1..3}`, `{01..10..2}`, `{a..e}`. A group that is
// neither a list nor a sequence stays as it is written. Patterns come from strangers, so what a pattern may grow to is bounded
// while it grows: `{a,b}{a,b}{a,b}…` doubles with every five characters.
import { DiskError } from "../errors.ts";

const MAX_NESTING = 5;
const MAX_ALTERNATIVES = 128;
const MAX_CHARACTERS = 8192;

export function expandBraces(pattern: string): string[] {
  if (!/\{.*\}/s.test(pattern)) return [pattern];
  // Bash keeps a leading `{}` as text, whatever follows.
  const lead = pattern.startsWith("{}") ? "{}" : "";
  return [...new Set(expand(pattern.slice(lead.length), 0, pattern).map((text) => lead + text))];
}

function expand(text: string, nesting: number, whole: string): string[] {
  if (nesting > MAX_NESTING) throw tooMuch(whole, `braces nested more than ${MAX_NESTING} deep`);
  let made = [""];
  let plain = "";
  let at = 0;
  while (at < text.length) {
    const c = text.charAt(at);
    if (c === "\\") {
      // minimatch drops the backslash of these once it expands braces; every other escape is left for the name matcher.
      const next = text.charAt(at + 1);
      plain += "\\{},.".includes(next) && next !== "" ? next : c + next;
      at += 2;
      continue;
    }
    const end = c === "{" && !plain.endsWith("$") ? closing(text, at) : -1;
    if (end < 0) {
      plain += c;
      at += 1;
      continue;
    }
    made = combine(made, [plain], whole);
    made = combine(made, group(text.slice(at + 1, end), nesting, whole), whole);
    plain = "";
    at = end + 1;
  }
  return combine(made, [plain], whole);
}

function group(body: string, nesting: number, whole: string): string[] {
  const range = sequence(body, whole);
  if (range) return range;
  const parts = split(body);
  if (parts.length > 1) return parts.flatMap((part) => expand(part, nesting + 1, whole));
  return expand(body, nesting + 1, whole).map((text) => `{${text}}`);
}

function sequence(body: string, whole: string): string[] | undefined {
  const parts =
    /^(-?\d{1,9})\.\.(-?\d{1,9})(?:\.\.(-?\d{1,9}))?$/.exec(body) ?? /^([a-zA-Z])\.\.([a-zA-Z])(?:\.\.(-?\d{1,9}))?$/.exec(body);
  if (!parts) return undefined;
  const [, from = "", to = "", by = "1"] = parts;
  const letters = /^[a-zA-Z]/.test(from);
  const first = letters ? from.charCodeAt(0) : Number(from);
  const last = letters ? to.charCodeAt(0) : Number(to);
  const step = Math.max(Math.abs(Number(by)), 1);
  const count = Math.floor(Math.abs(last - first) / step) + 1;
  if (count > MAX_ALTERNATIVES) throw tooMuch(whole, `a sequence of ${count}`);
  const width = [from, to, by].some((part) => /^-?0\d/.test(part)) ? Math.max(from.length, to.length) : 0;
  return Array.from({ length: count }, (_, i) => {
    const value = first + (last < first ? -i : i) * step;
    // `{Z..a}` passes the backslash, which would escape what follows; minimatch leaves it out too.
    if (letters) return value === 92 ? "" : String.fromCharCode(value);
    return (value < 0 ? "-" : "") + String(Math.abs(value)).padStart(value < 0 ? width - 1 : width, "0");
  });
}

function combine(left: string[], right: string[], whole: string): string[] {
  if (left.length * right.length > MAX_ALTERNATIVES) throw tooMuch(whole, `more than ${MAX_ALTERNATIVES} alternatives`);
  const made = left.flatMap((a) => right.map((b) => a + b));
  if (made.reduce((sum, text) => sum + text.length, 0) > MAX_CHARACTERS) throw tooMuch(whole, "braces that grow too long");
  return made;
}

/** The `}` that closes the `{` at `from`, or -1. */
function closing(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const c = text.charAt(at);
    if (c === "\\") at += 1;
    else if (c === "{") depth += 1;
    else if (c === "}" && --depth === 0) return at;
  }
  return -1;
}

/** Cuts at the commas of this level. */
function split(body: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < body.length; at++) {
    const c = body.charAt(at);
    if (c === "\\") at += 1;
    else if (c === "{") depth += 1;
    else if (c === "}") depth -= 1;
    else if (c === "," && depth === 0) {
      parts.push(body.slice(start, at));
      start = at + 1;
    }
  }
  parts.push(body.slice(start));
  return parts;
}

function tooMuch(pattern: string, what: string): DiskError {
  return new DiskError("invalid", `Pattern is too large: ${what} in "${pattern.slice(0, 80)}". Use a shorter pattern, or several calls.`);
}
