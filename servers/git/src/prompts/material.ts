// What the prompts show a model: bounded diffs and lists of commits, as resources that can be read again.
import { embed, user, type InteractiveContext } from "@oarlock/server-kit";
import type { Parts } from "../dependencies.ts";
import { opened } from "../dependencies.ts";
import { fitted } from "../repo/text/output-budget.ts";
import { diffText } from "../repo/diff/diff-text.ts";
import { diffOf } from "../repo/diff/diff.ts";
import { logOf } from "../repo/history/log.ts";
import { shown } from "../repo/text/file-names.ts";
import type { Repository } from "../repo/repository.ts";
import { addressOf } from "../resources/address.ts";

const DIFF_BYTES = 100_000;
const COMMITS = 500;

export { opened };

interface Compared {
  readonly compare: readonly string[];
  /** As addresses have it. */
  readonly range: string;
}

export const STAGED: Compared = { compare: ["diff", "--cached"], range: "staged" };

/** A diff, or undefined when there is none. */
export async function patchOf(
  parts: Parts,
  repository: Repository,
  { compare }: Compared,
  { signal }: InteractiveContext,
): Promise<string | undefined> {
  const wire = Math.floor(parts.maxResultBytes / 4);
  const diff = await diffOf(repository, {
    compare,
    contextLines: 3,
    paths: [],
    format: "patch",
    maxBytes: Math.min(DIFF_BYTES, wire),
    maxWire: wire,
    signal,
  });
  return diff.files.length === 0 ? undefined : fitted(diffText(diff, "patch"), wire);
}

/** The same, to be read again. */
export async function changes(parts: Parts, repository: Repository, compared: Compared, ctx: InteractiveContext) {
  const text = await patchOf(parts, repository, compared, ctx);
  if (text === undefined) return undefined;
  return user(embed({ uri: addressOf(repository.name, "diff", compared.range), mimeType: "text/x-diff", text }));
}

/** One line a commit, newest first. */
export async function history(
  parts: Parts,
  repository: Repository,
  wanted: { revision: string; since?: string | undefined },
  { signal }: InteractiveContext,
): Promise<string> {
  const { commits, nextCursor } = await logOf(repository, {
    ...wanted,
    maxCount: COMMITS,
    paths: [],
    follow: false,
    firstParent: false,
    stat: false,
    maxWire: Math.floor(parts.maxResultBytes / 2),
    signal,
  });
  const lines = commits.map(
    ({ hash, date, author, subject }) => `${hash.slice(0, 12)} ${date.slice(0, 10)} ${shown(author)}: ${shown(subject)}`,
  );
  if (nextCursor !== undefined) lines.push(`(and older ones; git_log lists them)`);
  return lines.length === 0 ? "(no commits)" : fitted(lines.join("\n"), parts.maxResultBytes / 4);
}
