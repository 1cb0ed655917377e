// git_remote: lists and adds remotes, and removes them after the user confirmed.
import { tool, type InteractiveContext } from "@oarlock/server-kit";
import { escapeControls } from "@oarlock/domain-kit";
import { confirmDiscard } from "../../confirmation.ts";
import { openRepository, type Dependencies } from "../../dependencies.ts";
import { GitError } from "../../repo/errors.ts";
import { addRemote, listRemotes, removeRemote, requireRemote } from "../../repo/remote/remotes.ts";
import type { Repository } from "../../repo/repository.ts";
import { choice, object, optionalWord, repo_path, result, z } from "../../schema.ts";
import { hintsOf } from "../read-only-variant.ts";
import { toObjects } from "../structured.ts";

export const gitRemote = (deps: Dependencies) =>
  tool({
    name: "git_remote",
    title: "Remotes",
    description: deps.readOnly ? "List remotes and their addresses." : "List remotes, add one, or remove one after the user confirmed.",
    // A list needs no network.
    ...(!deps.readOnly && { toolset: "remote" }),
    input: () =>
      object({
        repo_path,
        action: choice(deps.readOnly ? ["list"] : ["list", "add", "remove"], "What to do"),
        name: optionalWord("Name of the remote"),
        url: optionalWord("add: its address"),
      }),
    output: () => result({ remotes: z.array(z.looseObject({ name: z.string(), url: z.string() })) }),
    hints: hintsOf(deps, { destructive: true, idempotent: false }),
    async run({ repo_path: repoPath, action, name, url }, ctx) {
      const repository = await openRepository(deps, ctx, repoPath);
      if (action !== "list") await change(deps, repository, { action, name, url }, ctx);
      // Remotes are read from the configuration, which an opened repository does not read again.
      const remotes = listRemotes(action === "list" ? repository : await openRepository(deps, ctx, repoPath));
      const lines = remotes.map((remote) => `${escapeControls(remote.name)} ${escapeControls(remote.url) || "(no address)"}`);
      return { content: lines.length === 0 ? "There are no remotes" : lines.join("\n"), structured: { remotes: toObjects(remotes) } };
    },
  });

async function change(
  deps: Dependencies,
  repository: Repository,
  { action, name, url }: { action: "add" | "remove"; name: string | undefined; url: string | undefined },
  ctx: InteractiveContext,
): Promise<void> {
  if (name === undefined) throw new GitError("invalid", "name is missing: give the name of the remote.");
  if (action === "add") {
    if (url === undefined) throw new GitError("invalid", "url is missing: give the address of the remote.");
    await addRemote(repository, name, url, deps.network.protocols, ctx.signal);
    return;
  }
  requireRemote(repository, name);
  await confirmDiscard(deps, ctx, `Remove the remote ${name} of the repository ${repository.name}, with what is known of its branches`);
  await removeRemote(repository, name, ctx.signal);
}
