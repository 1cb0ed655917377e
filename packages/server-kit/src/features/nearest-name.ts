// nearestName: the known name that a misspelled one most likely means. @oarlock/domain-kit measures the same distance: the kit has no
// runtime dependency, and domain code does not import the kit.

const MAX_LENGTH = 64;

/** Names that models use for the same argument. */
const SYNONYMS: readonly (readonly string[])[] = [
  ["limit", "max", "maxresults", "maxcount", "count", "top", "topk", "pagesize", "perpage", "first"],
  ["path", "file", "filepath", "filename", "directory", "dir", "folder", "uri"],
  ["query", "q", "sql", "statement", "search", "pattern", "term", "text"],
  ["content", "contents", "text", "data", "body"],
  ["cursor", "pagetoken", "nextcursor", "after"],
  ["revision", "rev", "ref", "commit", "hash", "sha", "branch", "target"],
  ["source", "from", "src"],
  ["destination", "to", "dest", "dst", "target"],
  ["oldtext", "oldstring", "oldstr", "old"],
  ["newtext", "newstring", "newstr", "new"],
  ["starttimestamp", "since", "after", "from"],
  ["endtimestamp", "until", "before", "to"],
  ["include", "glob", "globs", "files"],
  ["offset", "startline", "start"],
  ["contents", "observations", "facts"],
  ["tablename", "table", "tables"],
  ["params", "parameters", "args", "arguments", "values", "bindings"],
  ["statements", "queries", "query", "sql"],
];

/** The known name that a misspelled one most likely means; undefined when none is near by its letters, its words, or its meaning. */
export function nearestName(misspelled: string, known: readonly string[]): string | undefined {
  const name = misspelled.slice(0, MAX_LENGTH);
  const same = known.find((one) => plainName(one) === plainName(name));
  if (same !== undefined) return same;
  const near = known
    .map((one) => ({ one, distance: distanceOf(plainName(name), plainName(one)) }))
    .filter(({ one, distance }) => distance <= Math.max(1, Math.floor(Math.min(plainName(name).length, plainName(one).length) / 3)))
    .sort((a, b) => a.distance - b.distance)[0]?.one;
  return near ?? known.find((one) => hasWordsOf(name, one) || hasWordsOf(one, name)) ?? known.find((one) => isSynonym(name, one));
}

/** The letters of a name: the same for `dryRun`, `dry_run` and `dry-run`. */
export const plainName = (name: string): string => name.toLowerCase().replaceAll(/[_.-]/g, "");

/** `filePath`, `file_path` and `file-path` have the words file and path. */
const splitWords = (name: string): string[] =>
  name
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, "_")
    .toLowerCase()
    .split(/[_.-]+/);

function hasWordsOf(name: string, part: string): boolean {
  const words = splitWords(name);
  return splitWords(part).every((word) => word.length > 1 && words.includes(word));
}

const isSynonym = (name: string, other: string): boolean =>
  SYNONYMS.some((group) => group.includes(plainName(name)) && group.includes(plainName(other)));

/** Levenshtein distance, where two swapped neighbours count as one change. */
function distanceOf(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const isSwap = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const changed = (last[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      row.push(Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, changed, isSwap ? (beforeLast[j - 2] ?? 0) + 1 : Infinity));
    }
    beforeLast = last;
    last = row;
  }
  return last[to.length] ?? Infinity;
}
