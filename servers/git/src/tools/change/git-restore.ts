// git_restore: bring files back as they are staged or were in a revision; changes that are lost by it need a yes.
import { tool } from "@oarlock/server-kit";
import { GitError } from "../../repo/errors.ts";
import { shown } from "../../repo/text/file-names.ts";
import { relativePath } from "../../repo/safety/path-resolver.ts";
import { mustBeRestorable, restoreFiles } from "../../repo/worktree/staging.ts";
import { opened, type Parts } from "../../dependencies.ts";
import { mayDiscard } from "../../confirmation.ts";
import { files, flag, maybe, object, repo_path, result, z } from "../../schema.ts";

export const gitRestore = (parts: Parts) =>
  tool({
    name: "git_restore",
    title: "Restore files",
    description: "Discard changes: bring files back as they are staged, or as in source, after the user agreed. staged: only unstage them.",
    input: () =>
      object({
        repo_path,
        files: files("Files and folders, literal names"),
        source: maybe("Take them from this revision"),
        staged: flag("Only what is staged; the files stay"),
      }),
    output: () => result({ restored: z.array(z.string()), staged: z.boolean() }),
    hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
    async run({ repo_path: where, files: wanted, source, staged }, ctx) {
      const repository = await opened(parts, ctx, where);
      const paths = wanted.map((path) => relativePath(repository, path));
      const commit = source === undefined ? undefined : await repository.commit(source, ctx.signal);
      const names =
        paths.length === 1
          ? shown(paths[0] ?? "")
          : `${paths.length} paths (${paths.slice(0, 5).map(shown).join(", ")}${paths.length > 5 ? ", …" : ""})`;
      if (wanted.length === 0) throw new GitError("invalid", 'Nothing was named: give files, or ["."] for everything.');
      if (!staged) {
        await mustBeRestorable(repository, { files: wanted, source: commit }, ctx.signal);
        await mayDiscard(parts, ctx, `Discard the changes in ${names === "." ? "all files" : names} of ${repository.name}`);
      }
      await restoreFiles(repository, { files: wanted, source: commit, staged, worktree: !staged }, ctx.signal);
      return {
        content: staged ? `Unstaged ${names}` : `Restored ${names}${source === undefined ? "" : ` from ${source}`}`,
        structured: { restored: paths, staged },
      };
    },
  });
