// search_file_contents, in two steps. First ripgrep goes through the directory and says of each file whether it matches. What it tells is only
// a hint, since it opens by name: another program may have led it out of the directory by exchanging one for a link. So then the
// files of the page go through the door like every other file, and ripgrep searches those open files once more; nothing is shown that
// does not come from there. The order is that of the names, so a page goes on where the last one ended.
import { openCursor, sealCursor } from "../../text/cursor.ts";
import type { Area, Look } from "../../access/area.ts";
import { withSeparator } from "../../tree/directory-entries.ts";
import { DiskError } from "../../errors.ts";
import { isInside } from "../../access/path-syntax.ts";
import type { Engine } from "./engine.ts";
import { First } from "./first-names.ts";
import { ignoredAbove } from "./ignored-above.ts";
import type { Match } from "./match-page.ts";
import { namesFor } from "./file-filter.ts";
import { checkPattern, limitOf, MAX_CONTEXT, MULTILINE_BYTES, namesArguments, type ContentsOptions } from "./options.ts";
import { Page, type Counted, type Found, type Place } from "./result-page.ts";
import { Runs } from "./search-runs.ts";

export interface ContentsResult {
  readonly matches: readonly Match[];
  /** In the modes files and count; where lines are not counted, 0. */
  readonly files: readonly Counted[];
  /** Text files that were looked into: of the whole search, not of the page. What is left out counts in neither number. */
  readonly filesSearched: number;
  /** Those of them with a match. */
  readonly filesMatched: number;
  readonly truncated: boolean;
  readonly nextCursor?: string;
  /** The time limit ended the search: what was found until then. */
  readonly timedOut: boolean;
  /** Something could not be read. */
  readonly incomplete: boolean;
}

const TIME_LIMIT_MS = 30_000;
const PROGRESS_MS = 250;
/** So many files of a page may turn out not to match, before it ends early. */
const SPARE = 16;
const ZERO = "0".charCodeAt(0);

export async function searchContents(area: Area, path: string, options: ContentsOptions, engine?: Engine): Promise<ContentsResult> {
  checkPattern(options);
  if ((options.contextLines ?? 0) > MAX_CONTEXT) throw new DiskError("invalid", `Expected at most ${MAX_CONTEXT} context lines.`);
  const runs = new Runs({ timeLimitMs: options.timeLimitMs ?? TIME_LIMIT_MS, signal: options.signal, engine });
  const real = area.look(path);
  const question = questionOf(real.path, options);
  const from = options.cursor === undefined ? undefined : placeOf(openCursor(question, options.cursor));
  const found = real.stat.isFile() ? oneFile(real, options) : await findFiles(area, path, options, runs, from);
  const page = new Page(area, options, runs, found, from);
  await page.fill();
  const truncated = page.next !== undefined || runs.timedOut;
  return {
    matches: page.matches,
    files: page.files,
    filesSearched: found.searched,
    filesMatched: found.matched,
    truncated,
    ...(page.next && !runs.timedOut && { nextCursor: sealCursor(question, JSON.stringify([page.next.name, page.next.line])) }),
    timedOut: runs.timedOut,
    incomplete: runs.incomplete,
  };
}

function questionOf(path: string, options: ContentsOptions): unknown[] {
  const { pattern, literal = false, caseSensitive = true, include = [], exclude = [], contextLines = 0, outputMode = "content" } = options;
  const { multiline = false, respectGitignore = true, includeHidden = false } = options;
  const how = [pattern, literal, caseSensitive, multiline, contextLines, outputMode];
  return ["contents", path, how, include, exclude, respectGitignore, includeHidden];
}

function placeOf(sealed: string): Place {
  const [name, line] = JSON.parse(sealed) as [string, number]; // our own text: it was sealed
  return { name, line };
}

/** A file that is named itself is searched whatever it is called. */
function oneFile({ path, stat }: Look, { multiline = false }: ContentsOptions): Found {
  if (multiline && stat.size > MULTILINE_BYTES) {
    const mebibytes = MULTILINE_BYTES / 1024 / 1024;
    throw new DiskError("too-large", `Matches that span lines are found in files of at most ${mebibytes} MiB: search line by line.`);
  }
  return { names: [""], more: false, path: () => path, searched: 1, matched: 1 };
}

async function findFiles(area: Area, path: string, options: ContentsOptions, runs: Runs, from: Place | undefined): Promise<Found> {
  using folder = area.folder(path);
  const base = withSeparator(folder.path);
  const above = options.respectGitignore === false ? { isIgnored: () => false, names: [] } : ignoredAbove(area, folder.path);
  const names = namesFor(options, above.isIgnored, above.names);
  const first = new First(limitOf(options) + SPARE);
  const found = { searched: 0, matched: 0 };
  const isFull = options.outputMode === "files" || options.outputMode === "count";
  const take = (name: string, matches: boolean) => {
    if (!names.keeps(name) || !area.shows(base + name) || (area.refusesHardLinks && hasMoreNames(area, base + name))) return;
    found.searched += 1;
    if (!matches) return;
    found.matched += 1;
    if (from === undefined || name > from.name || (name === from.name && !isFull)) first.add(name);
  };
  const tell = () => options.progress?.(Math.ceil(performance.now() - runs.started), found.matched);
  tell();
  const timer = setInterval(tell, PROGRESS_MS);
  let rest: Buffer = Buffer.alloc(0);
  try {
    await runs.run(
      { folder: folder.self },
      () => namesArguments(options, [...procs(folder.path), ...names.narrowing]),
      (chunk) => {
        rest = each(Buffer.concat([rest, chunk]), take);
        return false;
      },
    );
  } finally {
    clearInterval(timer);
  }
  return { ...first.sorted(), path: (name) => base + name, ...found };
}

/** Files of the system that never end when they are read; what is left of them the door refuses. */
const procs = (folder: string): string[] =>
  process.platform === "linux"
    ? ["/proc", "/sys", "/dev"]
        .filter((name) => isInside(name, folder) && name !== folder)
        .map((name) => `--glob=!/${name.slice(withSeparator(folder).length)}`)
    : [];

/** Files that the door will refuse do not count, on whichever page they would be. */
function hasMoreNames(area: Area, path: string): boolean {
  try {
    return area.look(path).stat.nlink > 1n;
  } catch (error) {
    if (error instanceof DiskError) return true;
    throw error;
  }
}

/** `NAME NUL COUNT newline` for each file; returns the rest. */
function each(bytes: Buffer, take: (name: string, matches: boolean) => void): Buffer {
  let from = 0;
  for (let end = bytes.indexOf(0); end !== -1; end = bytes.indexOf(0, from)) {
    const newline = bytes.indexOf(10, end);
    if (newline === -1) break;
    const name = bytes.toString("utf8", from, end);
    // A name that is not UTF-8 cannot be opened by text.
    if (!name.includes("\ufffd")) take(name.startsWith("./") ? name.slice(2) : name, bytes[end + 1] !== ZERO);
    from = newline + 1;
  }
  return bytes.subarray(from);
}
