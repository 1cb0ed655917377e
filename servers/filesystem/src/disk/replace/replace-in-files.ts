// Replaces a text in many files: finds the files by a search, and changes them one by one like edits, each of them whole or not at all.
import type { Sandbox } from "../access/sandbox.ts";
import { changeText, type EditResult, type TextChange } from "../edit/file-editor.ts";
import { DiskError } from "../errors.ts";
import { expandBraces } from "../globs/glob.ts";
import { meansLineBreak } from "../search/contents/options.ts";
import { searchContents, type ContentsResult } from "../search/contents/content-search.ts";
import type { TrashWriter } from "../trash/trash-writer.ts";
import type { Replacer, ReplaceQuery } from "./replace-query.ts";
import { replacerFor } from "./replacer.ts";

/** Files of one call. */
export const MAX_FILES = 500;
/** Ignored directories may be larger than all others together. */
const MAX_LEFT_OUT_MS = 1000;

export interface ReplaceOptions {
  /** In their order. */
  readonly queries: readonly ReplaceQuery[];
  /** Which files, as in a search by content; default all. Each alternative of its braces is a glob of its own. */
  readonly glob?: string | undefined;
  /** Such globs. */
  readonly exclude: readonly string[];
  readonly respectGitignore: boolean;
  readonly includeHidden: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly progress?: ((done: number, total: number) => void) | undefined;
}

export interface ReplacedFile {
  /** The real path. */
  readonly path: string;
  readonly replacements: number;
  /** Bytes of the file before the change. */
  readonly size: number;
  readonly etag?: string;
  readonly undo?: string | undefined;
  readonly loss?: string | undefined;
  /** Why the file was not changed. */
  readonly error?: string;
}

export interface ReplacePlan {
  /** The real path of the directory or file of the call. */
  readonly start: string;
  /** Those that would change. */
  readonly files: readonly ReplacedFile[];
  /** Those that match and cannot be changed. */
  readonly failed: readonly ReplacedFile[];
  readonly filesSearched: number;
  /** Where no file matches: the others, and the globs of the search. */
  readonly unsearched: Pick<ContentsResult, "skipped" | "include">;
  /** Hidden and ignored files that match, as far as a short search finds them. */
  readonly leftOut: number;
}

/** Finds the files and counts what would be replaced in each. Throws where the time of a search or the bound of files is not enough. */
export async function planReplacements(sandbox: Sandbox, path: string, options: ReplaceOptions): Promise<ReplacePlan> {
  const replacer = await replacerFor(options.queries);
  const paths = new Set<string>();
  let [start, filesSearched] = ["", 0];
  let unsearched: ReplacePlan["unsearched"] = {};
  for (const query of options.queries) {
    const found = await filesWith(sandbox, path, query, options);
    for (const file of found.files) paths.add(file.path);
    start = found.start;
    // Hidden and ignored files are searched too: see leftOut.
    unsearched = { include: found.include, skipped: found.skipped && { ...found.skipped, hidden: 0, ignored: 0 } };
    filesSearched = Math.max(filesSearched, found.filesSearched);
    if (paths.size > MAX_FILES || found.truncated)
      throw new DiskError(
        "too-large",
        `More than ${MAX_FILES} files match: nothing was replaced. Narrow path or glob, and call again for the rest.`,
      );
  }
  const files = await eachFile([...paths].toSorted(), options, (file) =>
    change(sandbox, file, replacer, { signal: options.signal, dryRun: true }),
  );
  return { ...parted(files), start, filesSearched, unsearched, leftOut: await countLeftOut(sandbox, path, paths, options) };
}

/** A replacement everywhere is not one where hidden or ignored files keep the old text: the caller must know of them. */
async function countLeftOut(sandbox: Sandbox, path: string, paths: ReadonlySet<string>, options: ReplaceOptions): Promise<number> {
  if (options.includeHidden && !options.respectGitignore) return 0;
  const others = new Set<string>();
  const until = performance.now() + MAX_LEFT_OUT_MS;
  for (const query of options.queries) {
    const timeLimitMs = until - performance.now();
    if (timeLimitMs < 1) break;
    const found = await search(sandbox, path, query, { ...options, includeHidden: true, respectGitignore: false }, timeLimitMs);
    for (const file of found.files) if (!paths.has(file.path)) others.add(file.path);
  }
  return others.size;
}

async function filesWith(sandbox: Sandbox, path: string, query: ReplaceQuery, options: ReplaceOptions): Promise<ContentsResult> {
  const found = await search(sandbox, path, query, options);
  if (found.timedOut) throw new DiskError("too-large", "The search took too long: nothing was replaced. Narrow path or glob.");
  return found;
}

async function search(
  sandbox: Sandbox,
  path: string,
  { pattern, regex, wholeWord, caseSensitive }: ReplaceQuery,
  { glob, exclude, respectGitignore, includeHidden, signal }: ReplaceOptions,
  timeLimitMs?: number,
): Promise<ContentsResult> {
  const query = { pattern, literal: !regex, wholeWord, caseSensitive };
  const include = glob === undefined ? [] : glob === "" ? [glob] : expandBraces(glob);
  return await searchContents(sandbox, path, {
    ...query,
    include,
    exclude,
    respectGitignore,
    includeHidden,
    signal,
    timeLimitMs,
    multiline: meansLineBreak(query),
    outputMode: "files",
    limit: MAX_FILES + 1,
    maxBytes: Number.POSITIVE_INFINITY,
  });
}

/** Makes the planned replacements. A file that cannot be changed any more says why, and does not stop the others. */
export async function replaceInFiles(
  sandbox: Sandbox,
  planned: readonly ReplacedFile[],
  options: ReplaceOptions & { readonly trash: TrashWriter | undefined },
): Promise<Pick<ReplacePlan, "files" | "failed">> {
  const replacer = await replacerFor(options.queries);
  const etags = new Map(planned.map(({ path, etag }) => [path, etag]));
  const { signal, trash } = options;
  const paths = [...etags.keys()];
  return parted(
    await eachFile(paths, options, (path) => change(sandbox, path, replacer, { signal, trash, expectedEtag: etags.get(path) })),
  );
}

async function eachFile(
  paths: readonly string[],
  { signal, progress }: ReplaceOptions,
  act: (path: string) => Promise<ReplacedFile>,
): Promise<ReplacedFile[]> {
  const files: ReplacedFile[] = [];
  for (const path of paths) {
    signal?.throwIfAborted();
    files.push(await act(path));
    progress?.(files.length, paths.length);
  }
  return files;
}

interface ChangeOptions {
  readonly signal: AbortSignal | undefined;
  readonly dryRun?: boolean;
  readonly trash?: TrashWriter | undefined;
  readonly expectedEtag?: string | undefined;
}

async function change(sandbox: Sandbox, path: string, replacer: Replacer, options: ChangeOptions): Promise<ReplacedFile> {
  let size = 0;
  const rewrite: TextChange = async (text) => {
    size = Buffer.byteLength(text);
    const replaced = await replacer(text, options.signal);
    return { text: replaced.text, facts: { replacements: replaced.text === text ? 0 : replaced.replacements } };
  };
  try {
    const changed: EditResult = await changeText(sandbox, path, rewrite, { ...options, withoutDiff: true });
    const { replacements, etag, undo, loss } = changed;
    return { path, replacements, size, etag, undo, loss };
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
    return { path, replacements: 0, size, error: error.message };
  }
}

const parted = (files: readonly ReplacedFile[]): Pick<ReplacePlan, "files" | "failed"> => ({
  files: files.filter(({ error, replacements }) => error === undefined && replacements > 0),
  failed: files.filter(({ error }) => error !== undefined),
});
