// git_status: branch, upstream, what is staged, changed, untracked and in conflict.
import { tool } from "@oarlock/server-kit";
import { statusOf } from "../../repo/worktree/status.ts";
import { statusText } from "../../repo/worktree/status-text.ts";
import { opened, type Parts } from "../../dependencies.ts";
import { count, object, repo_path, result, z } from "../../schema.ts";

const LIMIT = 2000;

export const gitStatus = (parts: Parts) =>
  tool({
    name: "git_status",
    title: "Status",
    description: "Show the branch, what is staged, changed, untracked and in conflict, and what is under way (merge, rebase).",
    input: () => object({ repo_path, limit: count(`The most entries, ${LIMIT} unless given`) }),
    output: () =>
      result({
        branch: z.optional(z.string()),
        head: z.optional(z.string()),
        staged: z.array(z.looseObject({ path: z.string() })),
        unstaged: z.array(z.looseObject({ path: z.string() })),
        untracked: z.array(z.string()),
        conflicts: z.array(z.looseObject({ path: z.string() })),
        truncated: z.boolean(),
      }),
    hints: { readOnly: true, openWorld: false },
    async run({ repo_path: path, limit = LIMIT }, ctx) {
      const repository = await opened(parts, ctx, path);
      const room = Math.floor(parts.maxResultBytes / 600);
      const status = await statusOf(repository, Math.min(limit, room), ctx.signal);
      const { staged, unstaged, conflicts, omitted, ...facts } = status;
      return {
        content: `Repository status:\n${statusText(status)}`,
        structured: {
          ...facts,
          staged: staged.map((change) => ({ ...change })),
          unstaged: unstaged.map((change) => ({ ...change })),
          conflicts: conflicts.map((change) => ({ ...change })),
          truncated: omitted > 0,
          ...(omitted > 0 && { omitted }),
        },
      };
    },
  });
