// git_reset: take files out of the next commit; hard discards changes too, after a yes.
import { tool } from "@oarlock/server-kit";
import { GitError } from "../../repo/errors.ts";
import { resetTo } from "../../repo/worktree/staging.ts";
import { statusOf } from "../../repo/worktree/status.ts";
import { opened, type Parts } from "../../dependencies.ts";
import { mayDiscard } from "../../confirmation.ts";
import { choice, files, object, repo_path, result, z } from "../../schema.ts";

export const gitReset = (parts: Parts) =>
  tool({
    name: "git_reset",
    title: "Unstage",
    description: "Unstage everything, or files. mode hard also discards all changes of tracked files, after the user agreed.",
    input: () =>
      object({
        repo_path,
        files: z._default(files("Only these"), []),
        mode: z._default(choice(["mixed", "soft", "hard"], "mixed unstages, hard discards"), "mixed"),
      }),
    output: () => result({ unstaged: z.array(z.string()) }),
    hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
    async run({ repo_path: path, files: wanted, mode }, ctx) {
      const repository = await opened(parts, ctx, path);
      if (wanted.length > 0 && mode !== "mixed")
        throw new GitError("invalid", `files can only be unstaged (mode mixed), not reset ${mode}.`);
      if (mode === "hard") {
        const { staged, unstaged, conflicts } = await statusOf(repository, 100_000, ctx.signal);
        const changed = new Set([...staged, ...unstaged, ...conflicts].map((change) => change.path)).size;
        if (changed > 0)
          await mayDiscard(parts, ctx, `Discard all changes in ${changed} ${changed === 1 ? "file" : "files"} of ${repository.name}`);
      }
      const unstaged = await resetTo(repository, mode, wanted, ctx.signal);
      const most = Math.floor(parts.maxResultBytes / 300);
      const content =
        mode === "hard"
          ? "All changes of tracked files discarded"
          : mode === "soft"
            ? "HEAD stays; what is staged stays staged"
            : wanted.length > 0
              ? unstaged.length > 0
                ? "Files unstaged"
                : "Nothing was staged of these files"
              : "All staged changes reset";
      return {
        content,
        structured: { unstaged: unstaged.slice(0, most), ...(unstaged.length > most && { truncated: true, total: unstaged.length }) },
      };
    },
  });
