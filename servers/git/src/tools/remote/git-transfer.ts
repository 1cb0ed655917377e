// git_fetch, git_pull and git_push: what goes between a repository and its remotes.
import { tool } from "@oarlock/server-kit";
import { outcome } from "../../repo/worktree/integration.ts";
import { shown } from "../../repo/text/file-names.ts";
import { remoteNamed } from "../../repo/remote/remotes.ts";
import { branchToPush, fetchFrom, pullFrom, pushTo, type Updated } from "../../repo/remote/transfer.ts";
import { integrateReply, integrateResult } from "../integrate/integration-reply.ts";
import { opened, type Parts } from "../../dependencies.ts";
import { mayDiscard } from "../../confirmation.ts";
import { choice, flag, maybe, object, repo_path, result, z } from "../../schema.ts";

const updatesResult = () =>
  result({ remote: z.string(), updates: z.array(z.looseObject({ from: z.string(), to: z.string(), summary: z.string() })) });

const MOST = 2000;

const lines = (updates: readonly Updated[]): string =>
  updates
    .slice(0, MOST)
    .map(({ from, to, summary }) => `\n  ${shown(from)} -> ${shown(to)} (${summary})`)
    .join("");

export const gitFetch = (parts: Parts) =>
  tool({
    name: "git_fetch",
    title: "Fetch",
    description: "Fetch branches and tags from a remote.",
    toolset: "remote",
    input: () =>
      object({
        repo_path,
        remote: maybe("Its name; that of the branch, or origin, unless given"),
        prune: flag("Forget branches that are gone there"),
        tags: flag("All tags"),
      }),
    output: updatesResult,
    hints: { readOnly: false, destructive: false, idempotent: true, openWorld: true },
    async run({ repo_path: where, remote: name, prune, tags }, ctx) {
      const repository = await opened(parts, ctx, where);
      const tell = (done: number, message: string) => ctx.progress(done, undefined, message);
      const { remote, updates } = await fetchFrom(repository, parts.network, { remote: name, prune, tags, tell, signal: ctx.signal });
      return {
        content: updates.length === 0 ? `Fetched from ${remote}: nothing new` : `Fetched from ${remote}:${lines(updates)}`,
        structured: { remote, updates: updates.slice(0, MOST).map((update) => ({ ...update })) },
      };
    },
  });

export const gitPull = (parts: Parts) =>
  tool({
    name: "git_pull",
    title: "Pull",
    description: "Fetch from a remote and bring its branch into the current one. Stops at conflicts and names them.",
    toolset: "remote",
    input: () =>
      object({
        repo_path,
        remote: maybe("Its name"),
        branch: maybe("Its branch"),
        how: z._default(choice(["ff-only", "merge", "rebase"], "Fast-forward only, merge, or rebase"), "ff-only"),
      }),
    output: integrateResult,
    hints: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
    async run({ repo_path: where, remote, branch, how }, ctx) {
      const repository = await opened(parts, ctx, where);
      const tell = (done: number, message: string) => ctx.progress(done, undefined, message);
      const ran = await pullFrom(repository, parts.network, parts, { remote, branch, how, tell, signal: ctx.signal });
      const came = await outcome(repository, "pull", "start", ran, ctx.signal);
      return integrateReply("Pull", { ...came, said: "" });
    },
  });

export const gitPush = (parts: Parts) =>
  tool({
    name: "git_push",
    title: "Push",
    description: "Push a branch to a remote. force replaces what is there, if nobody else has changed it, after a yes.",
    toolset: "remote",
    input: () =>
      object({
        repo_path,
        remote: maybe("Its name"),
        branch: maybe("Branch, the current one unless given"),
        force: flag("Replace the branch there, with lease"),
        set_upstream: flag("Follow it from now on"),
        tags: flag("Also annotated tags on it"),
      }),
    output: updatesResult,
    hints: { readOnly: false, destructive: true, idempotent: true, openWorld: true },
    async run({ repo_path: where, remote: name, branch, force, set_upstream: setUpstream, tags }, ctx) {
      const repository = await opened(parts, ctx, where);
      if (force) {
        const wanted = {
          remote: remoteNamed(repository, name, parts.network).name,
          branch: await branchToPush(repository, branch, ctx.signal),
        };
        await mayDiscard(
          parts,
          ctx,
          `Replace the branch ${wanted.branch} of the remote ${wanted.remote}, and with it commits that only the remote has`,
        );
      }
      const tell = (done: number, message: string) => ctx.progress(done, undefined, message);
      const { remote, updates, ...pushed } = await pushTo(repository, parts.network, parts, {
        remote: name,
        branch,
        force,
        setUpstream,
        tags,
        tell,
        signal: ctx.signal,
      });
      return {
        content: `Pushed ${pushed.branch} to ${remote}:${lines(updates)}`,
        structured: { remote, branch: pushed.branch, updates: updates.map((update) => ({ ...update })) },
      };
    },
  });
