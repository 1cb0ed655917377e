// git_clone: a copy of a remote repository below a folder of repositories.
import { tool } from "@oarlock/server-kit";
import { gitMissing } from "../../repo/process/git-program.ts";
import { shown } from "../../repo/text/file-names.ts";
import { cloneRepository, placeFor } from "../../repo/remote/new-repository.ts";
import { checkAddress } from "../../repo/remote/network.ts";
import type { Parts } from "../../dependencies.ts";
import { count, file, flag, maybe, object, result, word, z } from "../../schema.ts";

export const gitClone = (parts: Parts) =>
  tool({
    name: "git_clone",
    title: "Clone",
    description: "Clone a remote repository into a new folder below --repositories-root.",
    toolset: "remote",
    input: () =>
      object({
        url: word("Address, such as https://example.org/project.git"),
        path: z.optional(file("New folder; named after the address unless given")),
        branch: maybe("Branch to check out"),
        depth: count("Only so many commits"),
        bare: flag("Without a work tree"),
      }),
    output: () => result({ path: z.string() }),
    hints: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
    async run({ url, path, branch, depth, bare }, ctx) {
      const { git } = parts;
      if (git === undefined) throw gitMissing();
      checkAddress(url, parts.network);
      const name =
        path ??
        url
          .replace(/[?#].*$/, "")
          .replace(/\/+$/, "")
          .replace(/\.git$/, "")
          .split(/[/:]/)
          .at(-1) ??
        "repository";
      const place = placeFor(await parts.areas.of(ctx), name, false);
      const tell = (done: number, message: string) => ctx.progress(done, undefined, message);
      await cloneRepository(git, place, { url, branch, depth, bare, tell, signal: ctx.signal }, parts.network);
      return { content: `Cloned into ${shown(place)}`, structured: { path: place } };
    },
  });
