// git_clone: clones a remote repository below a folder of repositories.
import { tool } from "@oarlock/server-kit";
import { escapeControls } from "@oarlock/domain-kit";
import type { Dependencies } from "../../dependencies.ts";
import { gitMissing } from "../../repo/process/git-program.ts";
import { checkAddress } from "../../repo/remote/addresses.ts";
import { cloneRepository, folderNameOf } from "../../repo/remote/clone.ts";
import { resolveNewRepository } from "../../repo/remote/new-repository.ts";
import { describeUnfiltered, unfilteredWrites, wholeTree } from "../../repo/safety/filter-check.ts";
import { count, file, flag, object, optionalWord, result, word, z } from "../../schema.ts";

export const gitClone = (deps: Dependencies) =>
  tool({
    name: "git_clone",
    title: "Clone",
    description: "Clone a remote repository into a new folder below --repositories-root.",
    toolset: "remote",
    input: () =>
      object({
        url: word("Address, such as https://example.org/project.git"),
        path: z.optional(file("New folder, default named after the address")),
        branch: optionalWord("Branch to check out"),
        depth: count("Only so many commits"),
        bare: flag("Without a work tree"),
      }),
    output: () => result({ path: z.string() }),
    hints: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
    async run({ path: given, ...options }, ctx) {
      const { git, network } = deps;
      if (git === undefined) throw gitMissing();
      checkAddress(options.url, network.protocols);
      const sandbox = await deps.sandboxes.forRequest(ctx);
      const path = resolveNewRepository(sandbox, given ?? folderNameOf(options.url), false);
      const report = (done: number, message: string): void => ctx.progress(done, undefined, message);
      const { entries: user } = await deps.repositories.userConfig();
      await cloneRepository(git, path, { ...options, filters: deps.filters, user, report, signal: ctx.signal }, network);
      const repository = await deps.repositories.open(sandbox, path, ctx.signal);
      const head = options.bare ? undefined : await repository.headCommit(ctx.signal);
      const unfiltered = head === undefined ? [] : await unfilteredWrites(repository, wholeTree(head), ctx.signal);
      const warning =
        unfiltered.length === 0
          ? ""
          : `\n[written unconverted, with Git LFS as pointers: ${describeUnfiltered(unfiltered)}. ${repository.filters.remedy(unfiltered[0]?.filter ?? "")}]`;
      return {
        content: `Cloned into ${escapeControls(path)}${warning}`,
        structured: { path, ...(unfiltered.length > 0 && { unconverted: unfiltered.length }) },
      };
    },
  });
