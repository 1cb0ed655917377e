// Search by name: entries whose path matches a glob, in the order of the reference server (the entries of a folder right after it), as
// absolute paths. The next page begins where the last one ended, without walking the earlier folders again.
import { escapeControls, jsonStringBytes } from "@oarlock/domain-kit";
import type { Sandbox } from "../../access/sandbox.ts";
import { pathBelow } from "../../access/path-syntax.ts";
import { orderOf, typeOf, type EntryType, type FolderEntry } from "../../tree/directory-entries.ts";
import { compileGlobs } from "../../globs/glob.ts";
import { IgnoreRules } from "../gitignore/ignore-rules.ts";
import { STOP, type Walked } from "../../tree/visitor.ts";
import { walk } from "../../tree/walk.ts";
import { REPLY_BYTES, SEARCH_LIMIT } from "../../text/reply-size.ts";

export interface SearchOptions {
  readonly pattern: string;
  readonly excludePatterns?: readonly string[] | undefined;
  readonly type?: EntryType | undefined;
  /** Leave out ignored entries. Default false. */
  readonly respectGitignore?: boolean | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  /** The most bytes of the paths in the reply. */
  readonly maxBytes?: number | undefined;
  /** The most entries that one call walks. */
  readonly maxEntries?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly progress?: ((seen: number) => void) | undefined;
}

export interface SearchResult {
  /** The directory that was searched. */
  readonly start: string;
  /** Absolute. */
  readonly paths: readonly string[];
  readonly truncated: boolean;
  readonly nextCursor?: string;
  readonly walked: Walked;
  /** Behind them there may be matches: a search follows no link. */
  readonly links: number;
}

interface Place {
  /** Path below the start, with a slash at its end; empty for the start. */
  readonly path: string;
  /** The sort keys of the folders up to here. */
  readonly order: string;
  /** The rest of the names to the position of the cursor, while the walk has not reached it. */
  readonly toward: readonly string[] | undefined;
}

/** What a cursor belongs to. */
export function queryOf(start: string, options: SearchOptions): unknown[] {
  const { pattern, excludePatterns = [], type = "", respectGitignore = false } = options;
  return ["search", start, pattern, excludePatterns, type, respectGitignore];
}

export async function searchFiles(sandbox: Sandbox, path: string, options: SearchOptions): Promise<SearchResult> {
  const limit = options.limit ?? SEARCH_LIMIT;
  const maxBytes = options.maxBytes ?? REPLY_BYTES;
  const glob = compileGlobs([options.pattern]);
  const excludes = compileGlobs(options.excludePatterns ?? []);
  using start = sandbox.folder(path);
  const ignoreRules = options.respectGitignore === true ? await IgnoreRules.load(sandbox, start.path) : undefined;
  const query = queryOf(start.path, options);
  const toward = options.cursor === undefined ? undefined : sandbox.cursors.open(query, options.cursor).split("/");
  const paths: string[] = [];
  let bytes = 0;
  let links = 0;
  let last: { entry: FolderEntry; at: Place } | undefined;

  const entry = (found: FolderEntry, at: Place): Place | undefined | typeof STOP => {
    const { name } = found;
    const ahead = at.toward?.[0];
    const order = ahead === undefined ? undefined : orderOf(found);
    const relative = at.path + name;
    if (excludes.matches(relative)) return undefined;
    if (ahead === undefined || order !== ahead) {
      if (glob.matches(relative) && (options.type === undefined || typeOf(found) === options.type)) {
        const full = pathBelow(start.path, relative);
        bytes += 2 * jsonStringBytes(escapeControls(full)) + jsonStringBytes(full);
        // A page has at least one path, so that there is always a next page.
        if (paths.length >= limit || (bytes > maxBytes && paths.length > 0)) return STOP;
        paths.push(full);
      }
      last = { entry: found, at };
    }
    if (found.isSymbolicLink() && glob.canMatchBelow(relative)) links += 1;
    if (!found.isDirectory()) return undefined;
    if (!glob.canMatchBelow(relative)) return undefined;
    const rest = order === ahead && at.toward !== undefined && at.toward.length > 1 ? at.toward.slice(1) : undefined;
    return {
      path: `${relative}/`,
      order: `${at.order}${orderOf(found)}/`,
      toward: rest,
    };
  };

  // Entries before the position of the cursor were on an earlier page.
  const passes = (found: FolderEntry, { toward: [ahead] = [] }: Place) => ahead !== undefined && orderOf(found) < ahead;

  const top: Place = { path: "", order: "", toward };
  const walked = await walk(sandbox, start, top, toward ? { entry, passes } : { entry }, { ...options, ignoreRules, order: "deep" });
  const goesOn = walked.ended !== undefined;
  const place = last ? last.at.order + orderOf(last.entry) : toward?.join("/");
  return {
    start: start.path,
    paths,
    truncated: goesOn || leftOut(walked) > 0,
    ...(goesOn && place !== undefined && { nextCursor: sandbox.cursors.seal(query, place) }),
    walked,
    links,
  };
}

/** Folders that were not walked completely. */
export const leftOut = ({ cutFolders, deepFolders }: Walked): number => cutFolders + deepFolders;
