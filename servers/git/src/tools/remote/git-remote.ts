// git_remote: the remotes of a repository; removing one is asked for.
import { tool } from "@oarlock/server-kit";
import { GitError } from "../../repo/errors.ts";
import { shown } from "../../repo/text/file-names.ts";
import { addRemote, mustBeRemote, remotesOf, removeRemote } from "../../repo/remote/remotes.ts";
import { opened, type Parts } from "../../dependencies.ts";
import { mayDiscard } from "../../confirmation.ts";
import { choice, maybe, object, repo_path, result, z } from "../../schema.ts";

export const gitRemote = (parts: Parts) =>
  tool({
    name: "git_remote",
    title: "Remotes",
    description: "List remotes, add one, or remove one after a yes.",
    toolset: "remote",
    input: () =>
      object({
        repo_path,
        action: choice(["list", "add", "remove"], "What to do"),
        name: maybe("Name of the remote"),
        url: maybe("add: its address"),
      }),
    output: () => result({ remotes: z.array(z.looseObject({ name: z.string(), url: z.string() })) }),
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
    async run({ repo_path: where, action, name, url }, ctx) {
      let repository = await opened(parts, ctx, where);
      if (action !== "list") {
        if (name === undefined) throw new GitError("invalid", "name is missing: the remote.");
        if (action === "add") {
          if (url === undefined) throw new GitError("invalid", "url is missing: the address of the remote.");
          await addRemote(repository, name, url, parts.network, ctx.signal);
        } else {
          mustBeRemote(repository, name);
          await mayDiscard(parts, ctx, `Remove the remote ${name} of ${repository.name}, with what is known of its branches`);
          await removeRemote(repository, name, ctx.signal);
        }
        repository = await opened(parts, ctx, where);
      }
      const remotes = remotesOf(repository);
      return {
        content:
          remotes.length === 0 ? "There are no remotes" : remotes.map((remote) => `${shown(remote.name)} ${shown(remote.url)}`).join("\n"),
        structured: { remotes: remotes.map((remote) => ({ ...remote })) },
      };
    },
  });
