// Search by content, in two steps. First the engine goes through the directory and reports of each file whether it matches. That is
// only a hint: ripgrep opens files by name, and another program may exchange a name for a link that leads out. So the files of the
// page are then opened through the sandbox like every other file, and the engine searches the open files once more; only what it finds
// there is shown. Files come in the order of their names, so a page begins where the last one ended.
import { foreignOwner } from "@oarlock/domain-kit";
import type { Sandbox, Look } from "../../access/sandbox.ts";
import { pathBelow } from "../../access/path-syntax.ts";
import { DiskError } from "../../errors.ts";
import { IgnoreRules } from "../gitignore/ignore-rules.ts";
import type { SearchEngine } from "./engine.ts";
import { fileFilter } from "./file-filter.ts";
import { FirstNames } from "./first-names.ts";
import type { Match } from "./match-page.ts";
import { checkOptions, limitOf, MAX_MULTILINE_BYTES, type ContentsOptions } from "./options.ts";
import { MAX_ENTRIES, skippedBelow, skippedFile, type Skipped } from "./skipped-files.ts";
import { ResultPage, type Candidates, type CountedFile, type Position } from "./result-page.ts";
import { TimedEngine } from "./timed-engine.ts";

export interface ContentsResult {
  /** The real path of what was searched, and whether it is a file. */
  readonly start: string;
  readonly isOneFile: boolean;
  /** There are no other pages, before or after. */
  readonly isWhole: boolean;
  /** In the mode content. */
  readonly matches: readonly Match[];
  /** In the modes files and count. In the mode files the count is 0. */
  readonly files: readonly CountedFile[];
  /** Text files that were searched, on all pages. Files that are left out count in neither number. */
  readonly filesSearched: number;
  /** Those of them with a match. */
  readonly filesMatched: number;
  readonly truncated: boolean;
  readonly nextCursor?: string;
  /** The time limit ended the search; the result holds what was found until then. */
  readonly timedOut: boolean;
  /** The globs of the call, where nothing matches. */
  readonly include?: readonly string[] | undefined;
  /** What was left out, where nothing matches. */
  readonly skipped?: Skipped | undefined;
  /** Files that --lockdown hides, where others match. */
  readonly hiddenFiles: number;
  /** Something could not be read. */
  readonly incomplete: boolean;
}

const TIME_LIMIT_MS = 30_000;
const PROGRESS_MS = 250;
/** So many candidates of a page may turn out not to match before the page ends early. */
const SPARE_CANDIDATES = 16;

/** `engine`: for tests. Default: the engine of this process. */
export async function searchContents(
  sandbox: Sandbox,
  path: string,
  options: ContentsOptions,
  engine?: SearchEngine,
): Promise<ContentsResult> {
  checkOptions(options);
  const timed = new TimedEngine({ timeLimitMs: options.timeLimitMs ?? TIME_LIMIT_MS, signal: options.signal, engine });
  const start = sandbox.look(path);
  const query = queryOf(start.path, options);
  const from = options.cursor === undefined ? undefined : positionOf(sandbox.cursors.open(query, options.cursor));
  const candidates = start.stat.isFile() ? onlyFile(sandbox, start, options) : await findCandidates(sandbox, path, options, timed, from);
  const page = new ResultPage(sandbox, options, timed, candidates, from);
  await page.fill();
  const truncated = page.next !== undefined || timed.timedOut;
  return {
    start: start.path,
    isOneFile: start.stat.isFile(),
    matches: page.matches,
    files: page.files,
    filesSearched: candidates.searched,
    filesMatched: candidates.matched,
    truncated,
    isWhole: from === undefined && !truncated,
    ...(page.next && !timed.timedOut && { nextCursor: sandbox.cursors.seal(query, JSON.stringify([page.next.name, page.next.line])) }),
    timedOut: timed.timedOut,
    incomplete: timed.incomplete,
    hiddenFiles: candidates.hidden,
    include: options.include,
    skipped: candidates.matched === 0 && !timed.timedOut ? await candidates.skipped() : undefined,
  };
}

/** What a cursor belongs to. */
function queryOf(path: string, options: ContentsOptions): unknown[] {
  const { pattern, literal = false, caseSensitive = true, include = [], exclude = [], contextLines = 0, outputMode = "content" } = options;
  const { multiline = false, respectGitignore = true, includeHidden = false, encoding = "" } = options;
  const how = [pattern, literal, caseSensitive, multiline, contextLines, outputMode, encoding];
  return ["contents", path, how, include, exclude, respectGitignore, includeHidden];
}

function positionOf(sealed: string): Position {
  const [name, line] = JSON.parse(sealed) as [string, number]; // sealed by this process
  return { name, line };
}

/** A file that the call names is searched whatever its name is. */
function onlyFile(sandbox: Sandbox, { path, stat }: Look, options: ContentsOptions): Candidates {
  const { multiline = false } = options;
  if (multiline && stat.size > MAX_MULTILINE_BYTES) {
    const mebibytes = MAX_MULTILINE_BYTES / 1024 / 1024;
    throw new DiskError(
      "too-large",
      `File too large: matches that span lines are found in files of at most ${mebibytes} MiB. Leave multiline out.`,
    );
  }
  const skipped = () => Promise.resolve(skippedFile(sandbox, path, options));
  return { names: [""], hasMore: false, path: () => path, searched: 1, matched: 1, hidden: 0, skipped };
}

async function findCandidates(
  sandbox: Sandbox,
  path: string,
  options: ContentsOptions,
  engine: TimedEngine,
  from: Position | undefined,
): Promise<Candidates> {
  using directory = sandbox.folder(path);
  const pathOf = (name: string) => pathBelow(directory.path, name);
  const rules = options.respectGitignore === false ? undefined : await IgnoreRules.load(sandbox, directory.path);
  const filter = fileFilter(options, pathOf, rules);
  const first = new FirstNames(limitOf(options) + SPARE_CANDIDATES);
  const found = { searched: 0, matched: 0, hidden: 0 };
  // In the other modes the file of the position has been shown.
  const isContent = (options.outputMode ?? "content") === "content";
  const seen = new Set<string>();
  const searched = new Set<string>();
  const onFile = (name: string, matches: boolean, isCounted = false) => {
    if (!filter.keeps(name) || !sandbox.shows(pathOf(name))) return;
    const refusal = refusalOf(sandbox, pathOf(name));
    if (refusal === "owner" && !isCounted) found.hidden += 1;
    if (refusal !== undefined) return;
    if (!isCounted) found.searched += 1;
    if (searched.size < MAX_ENTRIES) searched.add(name);
    if (!matches) return;
    found.matched += 1;
    if (isOtherInWindows1252(options)) seen.add(name);
    if (from === undefined || name > from.name || (name === from.name && isContent)) first.add(name);
  };
  const report = () => options.progress?.(Math.ceil(performance.now() - engine.startedAt), found.matched);
  report();
  const timer = setInterval(report, PROGRESS_MS);
  try {
    await engine.searchDirectory({ sandbox, directory, options, filter, rules, onFile });
    if (isOtherInWindows1252(options)) {
      // Only names: the page searches each file in its own encoding.
      const onOther = (name: string, matches: boolean) => matches && !seen.has(name) && onFile(name, matches, true);
      const again = { ...options, encoding: "windows-1252" };
      await engine.searchDirectory({ sandbox, directory, options: again, filter, rules, onFile: onOther });
    }
  } finally {
    clearInterval(timer);
  }
  const { names, hasMore } = first.sorted();
  const skipped = async () => {
    using again = sandbox.folder(path);
    const names = searched.size < MAX_ENTRIES ? searched : undefined;
    return await skippedBelow(sandbox, { directory: again, filter, rules, searched: names }, options);
  };
  return { names, hasMore, path: pathOf, ...found, skipped };
}

/** A letter beyond ASCII has other bytes in a file of single bytes. */
const isOtherInWindows1252 = ({ pattern, encoding }: ContentsOptions): boolean =>
  // eslint-disable-next-line no-control-regex
  encoding === undefined && /[^\u0000-\u007f]|\\[xup]/.test(pattern);

/** Files that the sandbox refuses for their other names or their owner count on no page: even their number would tell what is in them. */
function refusalOf(sandbox: Sandbox, path: string): "names" | "owner" | undefined {
  const { refuseHardLinks, lockdown } = sandbox.fileRules;
  if (!refuseHardLinks && !lockdown) return undefined;
  try {
    const { stat } = sandbox.look(path);
    if (refuseHardLinks && stat.nlink > 1n) return "names";
    return lockdown && foreignOwner(stat) !== undefined ? "owner" : undefined;
  } catch (error) {
    if (error instanceof DiskError) return "names"; // it is gone
    throw error;
  }
}
