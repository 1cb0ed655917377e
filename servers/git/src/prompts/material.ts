// What prompts show a model: bounded diffs and lists of commits.
import { embed, user } from "@oarlock/server-kit";
import { escapeControls } from "@oarlock/domain-kit";
import type { Dependencies } from "../dependencies.ts";
import { readDiff } from "../repo/diff/diff.ts";
import { diffText } from "../repo/diff/diff-text.ts";
import { readLog } from "../repo/history/log.ts";
import type { Repository } from "../repo/repository.ts";
import { truncateWithNotice } from "../repo/text/output-budget.ts";
import { uriOf } from "../resources/address.ts";

const MAX_PATCH_BYTES = 100_000;
const MAX_COMMITS = 500;

export interface Comparison {
  /** The git command and its operands. */
  readonly compare: readonly string[];
  /** The range in the URI of the diff resource. */
  readonly range: string;
}

export const STAGED: Comparison = { compare: ["diff", "--cached"], range: "staged" };
export const UNSTAGED: Comparison = { compare: ["diff"], range: "unstaged" };

/** The patches of a comparison; undefined where nothing changed. */
export async function readPatch(
  { maxResultBytes }: Dependencies,
  repository: Repository,
  { compare }: Comparison,
  signal: AbortSignal,
): Promise<string | undefined> {
  const maxJsonBytes = Math.floor(maxResultBytes / 4);
  const maxBytes = Math.min(MAX_PATCH_BYTES, maxJsonBytes);
  const diff = await readDiff(repository, { compare, contextLines: 3, paths: [], format: "patch", maxBytes, maxJsonBytes, signal });
  return diff.files.length === 0 ? undefined : truncateWithNotice(diffText(diff, "patch"), maxJsonBytes);
}

/** The patches as a message with the resource that they come from. */
export async function patchMessage(deps: Dependencies, repository: Repository, comparison: Comparison, signal: AbortSignal) {
  const text = await readPatch(deps, repository, comparison, signal);
  if (text === undefined) return undefined;
  return user(embed({ uri: uriOf(repository.name, "diff", comparison.range), mimeType: "text/x-diff", text }));
}

/** Commits, newest first, a line each. */
export async function recentCommits(
  { maxResultBytes }: Dependencies,
  repository: Repository,
  range: { revision: string; since?: string | undefined },
  signal: AbortSignal,
): Promise<string> {
  const { commits, nextCursor } = await readLog(repository, {
    ...range,
    maxCount: MAX_COMMITS,
    paths: [],
    all: false,
    follow: false,
    firstParent: false,
    stat: false,
    maxJsonBytes: Math.floor(maxResultBytes / 2),
    signal,
  });
  if (commits.length === 0) return "(no commits)";
  const lines = commits.map(
    ({ hash, date, author, subject }) => `${hash.slice(0, 12)} ${date.slice(0, 10)} ${escapeControls(author)}: ${escapeControls(subject)}`,
  );
  if (nextCursor !== undefined) lines.push("(and older ones; git_log lists them)");
  return truncateWithNotice(lines.join("\n"), maxResultBytes / 4);
}
