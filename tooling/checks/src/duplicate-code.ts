/** Duplicate code: pairs of files that share runs of lines of the same shape, whatever their names, strings and numbers are. */
import type { Sources } from "./sources.ts";
import { tokensOf } from "./tokens.ts";

/** Shorter runs do not count. */
const MIN_LINES = 6;
/** Lines of a run that need `MIN_TOKENS` tokens: shorter lines are mostly braces. */
const MIN_FULL_LINES = 5;
const MIN_TOKENS = 5;
/** A run that occurs more often is an idiom of the language. */
const MAX_PLACES = 8;

export interface DuplicatePair {
  readonly one: string;
  readonly other: string;
  /** Lines in common, overlapping runs counted once. */
  readonly lines: number;
}

interface Line {
  readonly number: number;
  readonly shape: string;
  readonly tokens: number;
}

interface Place {
  readonly path: string;
  readonly line: number;
}

/** The pairs, those with the most lines first. */
export function duplicatePairs(sources: Sources): DuplicatePair[] {
  const places = new Map<string, Place[]>();
  for (const [path, text] of Object.entries(sources)) {
    const lines = linesOf(text);
    for (let at = 0; at + MIN_LINES <= lines.length; at++) {
      const run = lines.slice(at, at + MIN_LINES);
      if (run.filter(({ tokens }) => tokens >= MIN_TOKENS).length < MIN_FULL_LINES) continue;
      const key = run.map(({ shape }) => shape).join("\n");
      places.set(key, [...(places.get(key) ?? []), { path, line: run[0]?.number ?? 0 }]);
    }
  }
  const common = new Map<string, Set<number>>();
  for (const found of places.values()) {
    if (found.length > MAX_PLACES) continue;
    for (const [index, one] of found.entries()) {
      for (const other of found.slice(index + 1)) {
        if (one.path === other.path && Math.abs(one.line - other.line) < MIN_LINES) continue;
        const key = `${one.path}\n${other.path}`;
        const lines = common.get(key) ?? new Set();
        for (let line = 0; line < MIN_LINES; line++) lines.add(one.line + line);
        common.set(key, lines);
      }
    }
  }
  return [...common]
    .map(([key, lines]) => {
      const [one = "", other = ""] = key.split("\n");
      return { one, other, lines: lines.size };
    })
    .toSorted((a, b) => b.lines - a.lines);
}

const KEYWORDS = new Set(
  "async await break case catch class const continue default do else export extends false finally for function if import in instanceof interface let new null of private readonly return static switch this throw true try type typeof undefined void while yield".split(
    " ",
  ),
);

const IMPORTS = /^(?:import|export) (?:[^;]*?) from "[^"]*";$/gm;
/** Without names, the members of two interfaces look alike: a list of fields is a declaration, not repeated code. */
const INTERFACES = /^(?:export )?interface [^{]*\{$[^]*?^\}$/gm;
/** So are a list of constants and the fields of a class: names, with one value each. */
const CONSTANTS = /^(?:export )?const [A-Z][A-Z\d_]* = [^;{}()[\]]*;(?: *\/\/.*)?$/gm;
const FIELDS = /^  (?:(?:override )?readonly #?\w+|#\w+|\w+[?!]?:)(?=[ :;])[^;{}()]*(?:\([^;{}()]*\))?;$/gm;

/** Lines with code, without imports, declarations and comments. */
function linesOf(text: string): Line[] {
  const lines = new Map<number, string[]>();
  const code = [IMPORTS, INTERFACES, CONSTANTS, FIELDS].reduce((rest, declarations) => rest.replaceAll(declarations, keepLines), text);
  for (const { kind, text: token, line } of tokensOf(code)) {
    if (kind === "comment") continue;
    const shape = kind === "identifier" ? (KEYWORDS.has(token) ? token : "i") : kind === "string" ? "s" : kind === "number" ? "n" : token;
    lines.set(line, [...(lines.get(line) ?? []), shape]);
  }
  return [...lines].map(([number, shapes]) => ({ number, shape: shapes.join(" "), tokens: shapes.length }));
}

const keepLines = (text: string): string => text.replaceAll(/[^\n]/g, "");
