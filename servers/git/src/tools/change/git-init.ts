// git_init: a new repository below a folder of repositories, plain and without templates.
import { tool } from "@oarlock/server-kit";
import { gitMissing } from "../../repo/process/git-program.ts";
import { shown } from "../../repo/text/file-names.ts";
import { initRepository, placeFor } from "../../repo/remote/new-repository.ts";
import type { Parts } from "../../dependencies.ts";
import { file, flag, object, result, word, z } from "../../schema.ts";

export const gitInit = (parts: Parts) =>
  tool({
    name: "git_init",
    title: "New repository",
    description: "Make a repository in a folder below --repositories-root; files that are there stay.",
    toolset: "integrate",
    input: () =>
      object({
        path: file("Folder of the new repository"),
        initial_branch: z._default(word("Name of its branch"), "main"),
        bare: flag("Without a work tree"),
      }),
    output: () => result({ path: z.string(), branch: z.string() }),
    hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
    async run({ path, initial_branch: branch, bare }, ctx) {
      if (parts.git === undefined) throw gitMissing();
      const place = placeFor(await parts.areas.of(ctx), path, !bare);
      await initRepository(parts.git, place, { bare, branch }, ctx.signal);
      return { content: `Initialized empty Git repository in ${shown(place)}`, structured: { path: place, branch } };
    },
  });
