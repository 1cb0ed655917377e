// git_commit: commit what is staged, and say which hooks did not run and that there is no signature.
import { tool } from "@oarlock/server-kit";
import { draft } from "../../commit-draft.ts";
import { commitStaged } from "../../repo/worktree/commit.ts";
import { opened, type Parts } from "../../dependencies.ts";
import { flag, maybe, object, repo_path, result, text, z } from "../../schema.ts";

export const gitCommit = (parts: Parts) =>
  tool({
    name: "git_commit",
    title: "Commit",
    description: "Commit what is staged. Hooks and signing are off unless the operator switched them on; the reply says so.",
    input: () =>
      object({
        repo_path,
        message: text("Commit message; blank: your client's model words it"),
        amend: flag("Replace the last commit"),
        allow_empty: flag("Commit without changes"),
        author: maybe("Another author, as Name <email>"),
      }),
    output: () =>
      result({
        hash: z.string(),
        branch: z.optional(z.string()),
        filesChanged: z.int(),
        signed: z.boolean(),
        hooksRun: z.boolean(),
        warnings: z.array(z.string()),
      }),
    hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
    async run({ repo_path: path, message, amend, allow_empty: allowEmpty, author }, ctx) {
      const repository = await opened(parts, ctx, path);
      const isDrafted = message.trim() === "" && !amend && ctx.client.can("sample");
      const worded = isDrafted ? await draft(parts, repository, ctx) : message;
      const made = await commitStaged(repository, { message: worded, amend, allowEmpty, author, signal: ctx.signal }, parts);
      const drafted = isDrafted ? [`Message, worded by the client's model:`, worded] : [];
      return {
        content: [`Changes committed successfully with hash ${made.hash}`, ...made.warnings, ...drafted].join("\n"),
        structured: { ...made, warnings: [...made.warnings], ...(isDrafted && { message: worded }) },
      };
    },
  });
