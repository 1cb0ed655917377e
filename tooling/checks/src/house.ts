/**
 * `pnpm checks:house`: prints the aims for size, structure and wording beside the current figures. It always exits with 0.
 * `--all` prints every example, `--words PATH` every position of an old word below a path.
 */
import { posix } from "node:path";
import { parseArgs } from "node:util";
import { optionsInCore, productImports } from "./layers.ts";
import { platformReaders } from "./platform-readers.ts";
import { importsOf, readSources, type Sources } from "./sources.ts";
import { hardTitles } from "./test-titles.ts";
import { countWords, describeHit, findWords, readWords } from "./word-list.ts";

const KIT = "packages/server-kit/src/";
/** Add-ons are entries of their own, which a user loads by a switch. */
const ADDONS = /^servers\/[^/]+\/src\/addons\//;
/** Parts whose lines are counted, with the aims of the third house. */
const SIZES: readonly (readonly [what: string, folder: string, aim: number])[] = [
  ["server-kit", KIT, 8800],
  ["of which http/", `${KIT}transports/http/`, 2150],
  ["cluster", "packages/cluster/src/", 2200],
  ["testing", "packages/testing/src/", 1300],
  ["memory without add-ons", "servers/memory/src/", 11_000],
  ["tooling without tests", "tooling/", 16_000],
];
/** The one place that may continue synchronously where a handler returned a plain value. */
const RUNNER = `${KIT}runtime/request/runner.ts`;
const MAX_FILES = 18;
const MOST_SHOWN = 10;

interface Row {
  readonly what: string;
  readonly now: number;
  readonly aim: number;
  /** Where to look first. */
  readonly examples: readonly string[];
}

const linesIn = (text: string): number => text.trimEnd().split("\n").length;
const below = (sources: Sources, folder: string): number =>
  Object.entries(sources).reduce((sum, [path, text]) => sum + (path.startsWith(folder) && !ADDONS.test(path) ? linesIn(text) : 0), 0);

/** Files that continue after a value that may be a promise: by a helper for it, or with a type that leaves it open. */
function syncOrAsyncFiles(sources: Sources): string[] {
  return Object.entries(sources)
    .filter(([path]) => path !== RUNNER)
    .filter(([path, text]) => /\bafter\(/.test(text) || importsOf(path, text).some(({ to }) => /\/(after|at-once)\.ts$/.test(to)))
    .map(([path]) => path);
}

/** Folders with their counts of files, the fullest first. */
export function fullFolders(sources: Sources, most = MAX_FILES): string[] {
  const counts = new Map<string, number>();
  for (const path of Object.keys(sources)) counts.set(posix.dirname(path), (counts.get(posix.dirname(path)) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count > most)
    .toSorted(([, a], [, b]) => b - a)
    .map(([folder, count]) => `${folder}: ${count} files`);
}

type ReadSources = typeof readSources;

const readEverything = (read: ReadSources): Sources =>
  read("{packages,servers,tooling,examples}/*/{src,test}/**/*.ts", "packages/*/{template,examples}/**/*.ts", "tooling/*/*.ts");
/** Everything that runs outside of tests. */
export const readPrograms = (read: ReadSources = readSources): Sources =>
  read(
    "{packages,servers,tooling,examples}/*/{src,views,peers,field,.vitepress}/**/*.{ts,mjs}",
    "tooling/*/*.{ts,mjs}",
    "packages/*/template/**/*.ts",
  );
const readTests = (read: ReadSources): Sources => read("{packages,servers,tooling,examples}/*/{test,template,examples}/**/*.test.ts");
const readPages = (read: ReadSources): Sources => read("*.md", "{packages,servers,tooling,examples}/*/*.md");

export function figures(read: ReadSources = readSources): Row[] {
  const code = read("{packages,servers}/*/src/**/*.ts");
  const longest = Object.entries(code)
    .map(([path, text]) => ({ path, lines: linesIn(text) }))
    .toSorted((a, b) => b.lines - a.lines);
  const programs = readPrograms(read);
  const open = syncOrAsyncFiles(code);
  const full = fullFolders(code);
  const words = countWords(readWords(), readEverything(read), readPages(read));
  const readers = platformReaders(programs);
  const core = optionsInCore(code);
  const outside = productImports(programs);
  const titles = hardTitles(readTests(read));
  return [
    ...SIZES.map(([what, folder, aim]) => ({ what: `${what}, lines`, now: below(programs, folder), aim, examples: [] })),
    { what: "core files that name an option", now: core.length, aim: 0, examples: core },
    { what: "product imports of tooling", now: outside.length, aim: 0, examples: outside },
    {
      what: "largest file, lines",
      now: longest[0]?.lines ?? 0,
      aim: 250,
      examples: longest.filter(({ lines }) => lines > 250).map(({ path, lines }) => `${path}: ${lines} lines`),
    },
    { what: "files with a sync-or-async continuation", now: open.length, aim: 0, examples: open },
    { what: `folders with more than ${MAX_FILES} files`, now: full.length, aim: 0, examples: full },
    { what: "lines outside of platform.ts that read the platform", now: readers.length, aim: 0, examples: readers },
    { what: "test titles with a clause as subject", now: titles.length, aim: 0, examples: titles },
    {
      what: "words of the word list",
      now: words.reduce((sum, { count }) => sum + count, 0),
      aim: 0,
      examples: words.map(({ word, count, files }) => `${word.old} → ${word.new}: ${count} in ${files.length} files, such as ${files[0]}`),
    },
  ];
}

const MET = "met";

/** The table, then for each missed aim where to begin. */
export function houseReport(rows: readonly Row[], most = MOST_SHOWN): string {
  const table = rows.map(
    ({ what, now, aim }) => `| ${what} | ${now.toLocaleString("en")} | ≤ ${aim.toLocaleString("en")} | ${now <= aim ? MET : "missed"} |`,
  );
  const details = rows
    .filter(({ now, aim, examples }) => now > aim && examples.length > 0)
    .map(({ what, examples }) => [`${what}:`, ...examples.slice(0, most).map((example) => `  ${example}`)].join("\n"));
  return [["| figure | now | aim | |", "| --- | ---: | ---: | --- |", ...table].join("\n"), ...details].join("\n\n");
}

/** Positions of old words in files whose path begins with `prefix`. */
export const wordPositions = (prefix: string): string[] =>
  findWords(readWords(), readEverything(readSources), readPages(readSources))
    .filter(({ path }) => path.startsWith(prefix))
    .map(describeHit);

if (import.meta.main) {
  const { values } = parseArgs({ options: { all: { type: "boolean", default: false }, words: { type: "string" } } });
  const { all, words } = values;
  console.log(words === undefined ? houseReport(figures(), all ? Infinity : MOST_SHOWN) : wordPositions(words).join("\n"));
}
