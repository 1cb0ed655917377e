// git:///{repo}/status and git:///{repo}/refs: what changes while people work, to read and to subscribe to.
import { template, type Context } from "@oarlock/server-kit";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { completeRepository } from "../completion.ts";
import type { Parts } from "../dependencies.ts";
import { fitted } from "../repo/text/output-budget.ts";
import { refsText } from "../repo/refs/refs-text.ts";
import type { Repository } from "../repo/repository.ts";
import { statusText } from "../repo/worktree/status-text.ts";
import { statusOf } from "../repo/worktree/status.ts";
import type { Watcher } from "../repo/watch/watcher.ts";
import { addressOf, alone } from "./address.ts";
import { found, known, read } from "./repository-access.ts";

const LISTED = 100;
const ENTRIES = 5000;

async function statusAsText(repository: Repository, maxBytes: number, signal: AbortSignal): Promise<string> {
  return fitted(statusText(await statusOf(repository, Math.min(ENTRIES, Math.floor(maxBytes / 300)), signal)), maxBytes - 1000);
}

async function refsAsText(repository: Repository, maxBytes: number, signal: AbortSignal): Promise<string> {
  const { text, cut } = await refsText(repository, Math.floor(maxBytes / 2), signal);
  return cut ? `${text}[truncated: there are more]\n` : text;
}

type AsText = (repository: Repository, maxBytes: number, signal: AbortSignal) => Promise<string>;

const any = (): boolean => true;
/** A bare repository has no state of files: what cannot be read is not listed. */
const hasWorkTree = (top: string): boolean => existsSync(join(top, ".git"));

function listed({ areas, repositories }: Parts, kind: string, title: string, fits: (top: string) => boolean) {
  return (ctx: Context) =>
    repositories
      .list(areas.known(ctx), LISTED)
      .filter(({ real }) => fits(real))
      .map(({ name }) => ({
        uri: addressOf(name, kind),
        name: `${name} ${kind}`,
        description: `${title} of ${name}`,
        mimeType: "text/plain",
      }));
}

function watched(parts: Parts, watcher: Watcher, asText: AsText) {
  return ({ repo }: { repo: string }, changed: () => void, ctx: Context, uri: string) =>
    found(uri, async () => {
      const { facts } = await known(parts, repo, ctx);
      return watcher.watch(
        {
          // Opened anew each time: roots, or the repository, may have changed.
          look: async (signal) => asText(await known(parts, repo, ctx, signal), parts.maxResultBytes, signal),
          hints: () => [
            ...["HEAD", "index", "MERGE_HEAD"].map((name) => join(facts.gitDir, name)),
            ...["refs", "packed-refs"].map((name) => join(facts.commonDir, name)),
          ],
        },
        changed,
      );
    });
}

export const status = (parts: Parts, watcher: Watcher) =>
  template({
    uri: "git:///{repo}/status",
    name: "status",
    title: "Status",
    description: "The state of the work tree; can be subscribed to.",
    mimeType: "text/plain",
    match: alone("status"),
    list: listed(parts, "status", "Status", hasWorkTree),
    complete: { repo: completeRepository(parts) },
    read: ({ repo }, ctx, uri) => found(uri, async () => statusAsText(await read(parts, repo, ctx), parts.maxResultBytes, ctx.signal)),
    watch: watched(parts, watcher, statusAsText),
  });

export const refs = (parts: Parts, watcher: Watcher) =>
  template({
    uri: "git:///{repo}/refs",
    name: "refs",
    title: "Branches and tags",
    description: "HEAD and all branches and tags with their objects; can be subscribed to.",
    mimeType: "text/plain",
    match: alone("refs"),
    list: listed(parts, "refs", "Branches and tags", any),
    complete: { repo: completeRepository(parts) },
    read: ({ repo }, ctx, uri) => found(uri, async () => refsAsText(await read(parts, repo, ctx), parts.maxResultBytes, ctx.signal)),
    watch: watched(parts, watcher, refsAsText),
  });
