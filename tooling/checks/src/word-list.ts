/** Word list: counts the old words of the glossary over names, file names, comments, texts, test titles and pages. */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import type { Sources } from "./sources.ts";
import { tokensOf } from "./tokens.ts";

export interface OldWord {
  /** A name, or for texts a regular expression without flags. */
  readonly old: string;
  readonly where: ReadonlySet<string>;
  readonly new: string;
  /** The file that declares the word as a public argument. In the package of that file it is the name of this argument. */
  readonly argumentIn?: string;
}

export interface WordCount {
  readonly word: OldWord;
  readonly count: number;
  readonly files: readonly string[];
}

/** One occurrence of an old word. */
export interface WordHit {
  readonly word: OldWord;
  readonly path: string;
  /** From 1; 1 for a file name. */
  readonly line: number;
  readonly found: string;
}

/** Word lists, which hold words of a language as data. */
const LANGUAGE_DATA = /\/search\/languages\//;

/** The table in words.tsv: old word, where it counts (`name`, `file`, `text`), new word, and the file that declares it as a public argument. */
export function readWords(file: string = fileURLToPath(new URL("../words.tsv", import.meta.url))): OldWord[] {
  const [, ...rows] = readFileSync(file, "utf8").trimEnd().split("\n");
  return rows.map((row) => {
    const [old = "", where = "", replacement = "", argumentIn = ""] = row.split("\t");
    return { old, where: new Set(where.split(",")), new: replacement, ...(argumentIn !== "" && { argumentIn }) };
  });
}

/** Words with their counts, the most frequent first; words that do not occur are left out. */
export function countWords(words: readonly OldWord[], code: Sources, pages: Sources): WordCount[] {
  const byWord = Map.groupBy(findWords(words, code, pages), ({ word }) => word);
  return [...byWord]
    .map(([word, hits]) => ({ word, count: hits.length, files: [...new Set(hits.map(({ path }) => path))] }))
    .toSorted((a, b) => b.count - a.count);
}

/** Every occurrence of the words: code files first, in the order of their paths and lines. */
export function findWords(words: readonly OldWord[], code: Sources, pages: Sources): WordHit[] {
  const patterns = words.map((word) => ({ word, phrase: new RegExp(String.raw`\b(?:${word.old})\b`, "gi") }));
  const parts = [
    ...Object.entries(code).map(([path, text]) => ({ path, parts: LANGUAGE_DATA.test(path) ? [] : codeParts(text) })),
    ...Object.entries(pages).map(([path, text]) => ({ path, parts: pageParts(text) })),
  ];
  return parts.flatMap(({ path, parts: found }) =>
    [...fileNameHits(words, path), ...found.flatMap((part) => hitsIn(patterns, path, part))].toSorted((a, b) => a.line - b.line),
  );
}

/** `path:line: old → new`, a form that editors and terminals open. */
export const describeHit = ({ word, path, line, found }: WordHit): string =>
  `${path}:${line}: ${found.replaceAll(/\s+/g, " ")} → ${word.new}`;

/** A piece of a file in which words are counted: a name, or a comment, string or page. */
interface Part {
  readonly kind: "name" | "text";
  readonly text: string;
  readonly line: number;
}

const fileNameHits = (words: readonly OldWord[], path: string): WordHit[] => {
  const name = basename(path).replace(/(\.test)?\.ts$/, "");
  return words.filter(({ old, where }) => where.has("file") && old === name).map((word) => ({ word, path, line: 1, found: name }));
};

function hitsIn(patterns: readonly { word: OldWord; phrase: RegExp }[], path: string, { kind, text, line }: Part): WordHit[] {
  return patterns
    .filter(({ word }) => word.where.has(kind) && !(kind === "name" && isArgument(word, path)))
    .flatMap(({ word, phrase }) => {
      if (kind === "name") return text === word.old ? [{ word, path, line, found: text }] : [];
      return [...text.matchAll(phrase)].map(({ 0: found, index }) => ({ word, path, line: line + newlines(text.slice(0, index)), found }));
    });
}

/** Whether a name in a file is that of the public argument. */
const isArgument = ({ argumentIn }: OldWord, path: string): boolean =>
  argumentIn !== undefined && packageOf(path) === packageOf(argumentIn);

const packageOf = (path: string): string => path.split("/", 2).join("/");

const newlines = (text: string): number => text.split("\n").length - 1;

/** Names, comments, and the strings that people and models read: those with a space. */
function codeParts(source: string): Part[] {
  return tokensOf(source).flatMap(({ kind, text, line }): Part[] => {
    if (kind === "identifier") return [{ kind: "name", text, line }];
    return kind === "comment" || (kind === "string" && text.includes(" ")) ? [{ kind: "text", text, line }] : [];
  });
}

/** Prose only: code blocks and code spans hold names, which are counted in the code. */
const pageParts = (text: string): Part[] => [
  { kind: "text", text: text.replaceAll(/```[^]*?```|`[^`\n]*`/g, (code) => code.replaceAll(/[^\n]/g, "")), line: 1 },
];
