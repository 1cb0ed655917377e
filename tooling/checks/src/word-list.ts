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
  /** The word that replaces it. */
  readonly new: string;
}

export interface WordCount {
  readonly word: OldWord;
  readonly count: number;
  readonly files: readonly string[];
}

/** The table in words.tsv: old word, where it counts (`name`, `file`, `text`), new word. */
export function readWords(file: string = fileURLToPath(new URL("../words.tsv", import.meta.url))): OldWord[] {
  const [, ...rows] = readFileSync(file, "utf8").trimEnd().split("\n");
  return rows.map((row) => {
    const [old = "", where = "", replacement = ""] = row.split("\t");
    return { old, where: new Set(where.split(",")), new: replacement };
  });
}

/** Words with their counts, the most frequent first; words that do not occur are left out. */
export function countWords(words: readonly OldWord[], code: Sources, pages: Sources): WordCount[] {
  const files = [...Object.entries(code).map(([path, text]) => codeParts(path, text)), ...Object.entries(pages).map(pageParts)];
  return words
    .map((word) => {
      const phrase = new RegExp(String.raw`\b(?:${word.old})`, "gi");
      const counts = files.map(({ path, names, text }) => [path, countIn(word, phrase, { path, names, text })] as const);
      const found = counts.filter(([, count]) => count > 0);
      return { word, count: found.reduce((sum, [, count]) => sum + count, 0), files: found.map(([path]) => path) };
    })
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count);
}

interface Parts {
  readonly path: string;
  readonly names: readonly string[];
  readonly text: string;
}

function countIn({ old, where }: OldWord, phrase: RegExp, { path, names, text }: Parts): number {
  const inFileName = where.has("file") && basename(path).replace(/(\.test)?\.ts$/, "") === old ? 1 : 0;
  const inNames = where.has("name") ? names.filter((name) => name === old).length : 0;
  return inFileName + inNames + (where.has("text") ? (text.match(phrase) ?? []).length : 0);
}

function codeParts(path: string, source: string): Parts {
  const tokens = tokensOf(source);
  return {
    path,
    names: tokens.flatMap(({ kind, text }) => (kind === "identifier" ? [text] : [])),
    // Comments, and the strings that people and models read: those with a space.
    text: tokens.flatMap(({ kind, text }) => (kind === "comment" || (kind === "string" && text.includes(" ")) ? [text] : [])).join("\n"),
  };
}

/** Prose only: code blocks and code spans hold names, which the code itself answers for. */
const pageParts = ([path, text]: [string, string]): Parts => ({
  path,
  names: [],
  text: text.replaceAll(/```[^]*?```/g, "").replaceAll(/`[^`\n]*`/g, ""),
});
