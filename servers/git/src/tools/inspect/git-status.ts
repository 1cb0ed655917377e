// git_status: branch, upstream, and staged, changed, untracked and conflicting files.
import { tool } from "@oarlock/server-kit";
import { openRepository, type Dependencies } from "../../dependencies.ts";
import { noticeHistoryLimits } from "../../repo/limits/history-limits.ts";
import { noticeLeftOut } from "../../repo/limits/sparse-checkout.ts";
import { noticeUnreadAttributes, noticeUnreadIgnores } from "../../repo/limits/unread-settings.ts";
import { unfilteredNotice } from "../../repo/safety/filter-check.ts";
import { statusText } from "../../repo/worktree/status-text.ts";
import { readStatus } from "../../repo/worktree/status.ts";
import { items, z, result, repo_path, object, count } from "../../schema.ts";
import { DEFAULT_TEXT_BYTES, toObjects } from "../structured.ts";

const DEFAULT_LIMIT = 1000;
/** An entry in text and structured content, with a long path. */
const ENTRY_BYTES = 600;

export const gitStatus = (deps: Dependencies) =>
  tool({
    name: "git_status",
    title: "Status",
    description: "Show the branch, staged, changed, untracked and conflicting files.",
    input: () => object({ repo_path, limit: count(`Default ${DEFAULT_LIMIT}`) }),
    output: () =>
      result({
        branch: z.optional(z.string()),
        head: z.optional(z.string()),
        staged: items(),
        unstaged: items(),
        untracked: z.array(z.string()),
        conflicts: items(),
        truncated: z.boolean(),
      }),
    hints: { readOnly: true, openWorld: false },
    async run({ repo_path: repoPath, limit }, ctx) {
      const repository = await openRepository(deps, ctx, repoPath);
      const maxEntries = Math.min(limit ?? DEFAULT_LIMIT, Math.floor(deps.maxResultBytes / ENTRY_BYTES));
      let status = await readStatus(repository, maxEntries, ctx.signal);
      const bytes = Buffer.byteLength(statusText(status));
      // Long paths: fewer of them fit.
      if (limit === undefined && bytes > DEFAULT_TEXT_BYTES)
        status = await readStatus(repository, Math.floor((maxEntries * DEFAULT_TEXT_BYTES) / bytes), ctx.signal);
      await noticeHistoryLimits(repository, { signal: ctx.signal });
      await noticeLeftOut(repository, [], " (and unchanged)", ctx.signal);
      if (status.unstaged.length > 0) noticeUnreadAttributes(repository);
      if (status.untracked.length > 0) noticeUnreadIgnores(repository, "are among the untracked ones");
      const { staged, unstaged, conflicts, omitted, uninspected, ...facts } = status;
      const notice = await unfilteredNotice(
        repository,
        unstaged.map(({ path }) => path),
        ctx.signal,
      );
      return {
        content: `Repository status:\n${statusText(status)}${notice === undefined ? "" : `\n${notice}`}`,
        structured: {
          ...facts,
          staged: toObjects(staged),
          unstaged: toObjects(unstaged),
          conflicts: toObjects(conflicts),
          truncated: omitted > 0,
          ...(omitted > 0 && { omitted }),
          ...(uninspected.length > 0 && { uninspected }),
        },
      };
    },
  });
