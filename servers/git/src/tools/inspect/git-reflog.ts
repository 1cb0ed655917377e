// git_reflog: where HEAD or a branch has been, to find back what seems lost.
import { tool } from "@oarlock/server-kit";
import { openCursor, sealCursor } from "../../repo/text/cursor.ts";
import { GitError, clip } from "../../repo/errors.ts";
import { shown } from "../../repo/text/file-names.ts";
import { reflogOf } from "../../repo/refs/reflog.ts";
import { checkRefName } from "../../repo/refs/revision-syntax.ts";
import { opened, type Parts } from "../../dependencies.ts";
import { count, cursor, object, repo_path, result, word, z } from "../../schema.ts";

export const gitReflog = (parts: Parts) =>
  tool({
    name: "git_reflog",
    title: "Reflog",
    description: "List where HEAD or a branch has been, newest first.",
    toolset: "integrate",
    input: () =>
      object({ repo_path, ref: z._default(word("HEAD or a branch"), "HEAD"), max_count: count("How many, 50 unless given"), cursor }),
    output: () =>
      result({
        entries: z.array(z.looseObject({ hash: z.string(), message: z.string() })),
        truncated: z.boolean(),
        nextCursor: z.optional(z.string()),
      }),
    hints: { readOnly: true, openWorld: false },
    async run({ repo_path: where, ref, max_count: wanted = 50, cursor: from }, ctx) {
      const repository = await opened(parts, ctx, where);
      let name = "HEAD";
      if (ref !== "HEAD") {
        checkRefName(ref, "branch");
        const found = await repository.object(`refs/heads/${ref}`, undefined, ctx.signal);
        if (typeof found === "string")
          throw new GitError("not-found", `There is no branch "${clip(ref)}"; git_branch lists what there is.`);
        name = `refs/heads/${ref}`;
      }
      const question = ["reflog", repository.facts.gitDir, name];
      const skip = from === undefined ? 0 : Number(openCursor(question, from));
      const limit = Math.min(wanted, 2000, Math.floor(parts.maxResultBytes / 1200));
      const { entries, more } = await reflogOf(repository, name, { skip, limit, signal: ctx.signal });
      const nextCursor = more ? sealCursor(question, String(skip + entries.length)) : undefined;
      const lines = entries.map(({ selector, hash, date, message }) => `${selector} ${hash.slice(0, 12)} ${date} ${shown(message)}`);
      if (nextCursor !== undefined) lines.push(`[more: go on with cursor ${nextCursor}]`);
      return {
        content: lines.length === 0 ? "The reflog is empty" : lines.join("\n"),
        structured: { entries: entries.map((entry) => ({ ...entry })), truncated: more, ...(nextCursor !== undefined && { nextCursor }) },
      };
    },
  });
