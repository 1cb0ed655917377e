// git_init: creates a repository below a folder of repositories.
import { tool } from "@oarlock/server-kit";
import { escapeControls } from "@oarlock/domain-kit";
import type { Dependencies } from "../../dependencies.ts";
import { gitMissing } from "../../repo/process/git-program.ts";
import { initRepository, resolveNewRepository } from "../../repo/remote/new-repository.ts";
import { file, flag, object, result, word, z } from "../../schema.ts";

export const gitInit = (deps: Dependencies) =>
  tool({
    name: "git_init",
    title: "New repository",
    description: "Create a repository in a folder below --repositories-root; files in it stay.",
    toolset: "integrate",
    input: () =>
      object({
        path: file("Folder of the new repository"),
        initial_branch: z._default(word("Name of its branch"), "main"),
        bare: flag("Without a work tree"),
      }),
    output: () => result({ path: z.string(), branch: z.string() }),
    hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
    async run({ path: given, initial_branch: branch, bare }, ctx) {
      if (deps.git === undefined) throw gitMissing();
      const path = resolveNewRepository(await deps.sandboxes.forRequest(ctx), given, !bare);
      const { entries: user } = await deps.repositories.userConfig();
      await initRepository(deps.git, path, { bare, branch, user }, ctx.signal);
      return { content: `Initialized empty Git repository in ${escapeControls(path)}`, structured: { path, branch } };
    },
  });
