// git_reflog: where HEAD or a branch has been, to find lost commits.
import { tool } from "@oarlock/server-kit";
import { escapeControls } from "@oarlock/domain-kit";
import { openRepository, type Dependencies } from "../../dependencies.ts";
import { readReflog, type ReflogEntry } from "../../repo/history/reflog.ts";
import { resolveBranch } from "../../repo/refs/branches.ts";
import type { Repository } from "../../repo/repository.ts";
import { items, z, word, result, repo_path, object, cursor, count } from "../../schema.ts";
import { pageMembers, takeLines, toObjects, withPageNotices } from "../structured.ts";

const DEFAULT_COUNT = 20;
const MAX_COUNT = 2000;
/** An entry in text and structured content, with a long message. */
const ENTRY_BYTES = 1200;

export const gitReflog = (deps: Dependencies) =>
  tool({
    name: "git_reflog",
    title: "Reflog",
    description: "List where HEAD or a branch has been, newest first: finds lost commits.",
    input: () =>
      object({
        repo_path,
        ref: z._default(word("HEAD or a branch"), "HEAD"),
        max_count: count(`Default ${DEFAULT_COUNT}`),
        cursor,
      }),
    output: () =>
      result({
        entries: items(),
        truncated: z.boolean(),
        nextCursor: z.optional(z.string()),
      }),
    hints: { readOnly: true, openWorld: false },
    async run({ repo_path: repoPath, ref, max_count: maxCount, cursor: from }, ctx) {
      const repository = await openRepository(deps, ctx, repoPath);
      const name = await fullRefName(repository, ref, ctx.signal);
      const query = ["reflog", repository.state.gitDir, name];
      const skip = from === undefined ? 0 : Number(repository.cursors.open(query, from));
      const limit = Math.min(maxCount ?? DEFAULT_COUNT, MAX_COUNT, Math.floor(deps.maxResultBytes / ENTRY_BYTES));
      const { entries: found, hasMore: isCut } = await readReflog(repository, name, { skip, limit, signal: ctx.signal });
      const entries = takeLines(found, maxCount, entryLine);
      const hasMore = isCut || entries.length < found.length;
      const nextCursor = hasMore ? repository.cursors.seal(query, String(skip + entries.length)) : undefined;
      const lines = entries.map(entryLine);
      return {
        content: lines.length === 0 ? "The reflog is empty" : withPageNotices(lines.join("\n"), nextCursor),
        structured: { entries: toObjects(entries), ...pageMembers(nextCursor) },
      };
    },
  });

/** `2026-03-18T10:00` */
const MINUTE_LENGTH = 16;

const entryLine = ({ selector, hash, date, message }: ReflogEntry): string =>
  `${escapeControls(selector)} ${hash.slice(0, 12)} ${date.slice(0, MINUTE_LENGTH)} ${escapeControls(message)}`;

async function fullRefName(repository: Repository, ref: string, signal: AbortSignal): Promise<string> {
  if (ref === "HEAD") return ref;
  await resolveBranch(repository, ref, signal);
  return `refs/heads/${ref}`;
}
