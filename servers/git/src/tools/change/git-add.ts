// git_add: stage files for the next commit.
import { tool } from "@oarlock/server-kit";
import { shown } from "../../repo/text/file-names.ts";
import { addFiles } from "../../repo/worktree/staging.ts";
import { opened, type Parts } from "../../dependencies.ts";
import { files, flag, object, repo_path, result, z } from "../../schema.ts";

export const gitAdd = (parts: Parts) =>
  tool({
    name: "git_add",
    title: "Stage files",
    description: 'Stage files, from the top of the repository, for the next commit; ["."] stages everything.',
    input: () => object({ repo_path, files: files("Files and folders, literal names"), dry_run: flag("Only say what would be staged") }),
    output: () => result({ staged: z.array(z.string()), ignored: z.array(z.string()) }),
    hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
    async run({ repo_path: path, files: wanted, dry_run: dryRun }, ctx) {
      const repository = await opened(parts, ctx, path);
      const { staged, ignored } = await addFiles(repository, wanted, dryRun, ctx.signal);
      const most = Math.floor(parts.maxResultBytes / 500);
      const left = ignored.length === 0 ? "" : `\nLeft out, as .gitignore says so: ${ignored.slice(0, 100).map(shown).join(", ")}`;
      const first = dryRun
        ? `Would stage ${staged.length} files:\n${staged.slice(0, most).map(shown).join("\n")}`
        : "Files staged successfully";
      const nothing = staged.length === 0 && ignored.length > 0 ? "Nothing was staged" : first;
      return {
        content: nothing + left,
        structured: {
          staged: staged.slice(0, most),
          ignored: ignored.slice(0, most),
          ...(staged.length > most && { truncated: true, total: staged.length }),
        },
      };
    },
  });
