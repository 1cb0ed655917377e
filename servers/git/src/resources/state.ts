// git:///{repo}/status and git:///{repo}/refs: the current state, to read and to subscribe to.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { template, type Context } from "@oarlock/server-kit";
import { completeRepository } from "../completion.ts";
import type { Dependencies } from "../dependencies.ts";
import { refsText } from "../repo/refs/refs-text.ts";
import type { Repository } from "../repo/repository.ts";
import { truncateWithNotice } from "../repo/text/output-budget.ts";
import type { Watcher } from "../repo/watch/watcher.ts";
import { statusText } from "../repo/worktree/status-text.ts";
import { readStatus } from "../repo/worktree/status.ts";
import { matchKind, uriOf } from "./address.ts";
import { readFrom, RESERVED_BYTES, withResourceErrors } from "./repository-access.ts";

const MAX_LISTED = 100;
const MAX_STATUS_ENTRIES = 5000;
const STATUS_ENTRY_BYTES = 300;

type ReadText = (repository: Repository, maxBytes: number, signal: AbortSignal) => Promise<string>;

const readStatusText: ReadText = async (repository, maxBytes, signal) => {
  const maxEntries = Math.min(MAX_STATUS_ENTRIES, Math.floor(maxBytes / STATUS_ENTRY_BYTES));
  return truncateWithNotice(statusText(await readStatus(repository, maxEntries, signal)), maxBytes - RESERVED_BYTES);
};

const readRefsText: ReadText = async (repository, maxBytes, signal) => {
  const { text, isTruncated } = await refsText(repository, Math.floor(maxBytes / 2), signal);
  return isTruncated ? `${text}[truncated: there are more]\n` : text;
};

interface StateResource {
  readonly kind: string;
  readonly title: string;
  readonly description: string;
  readonly readText: ReadText;
  /** Whether the repository at this folder is listed. */
  readonly isListed: (top: string) => boolean;
}

const stateTemplate = (deps: Dependencies, watcher: Watcher, { kind, title, description, readText, isListed }: StateResource) =>
  template({
    uri: `git:///{repo}/${kind}`,
    name: kind,
    title,
    description,
    mimeType: "text/plain",
    match: matchKind(kind),
    list: (ctx) => listResources(deps, ctx, { kind, title, isListed }),
    complete: { repo: completeRepository(deps) },
    read: ({ repo }, ctx, uri) => readFrom(deps, { repo, uri }, ctx, (repository) => readText(repository, deps.maxResultBytes, ctx.signal)),
    noticesOtherProcesses: true,
    subscribe: ({ repo }, ctx, uri) =>
      withResourceErrors(uri, async () => {
        const sandbox = deps.sandboxes.known(ctx);
        await deps.repositories.open(sandbox, repo, ctx.signal);
        return sandbox;
      }),
    watch: ({ repo }, onChange, uri, sandbox) =>
      withResourceErrors(uri, async () => {
        const { repositories, maxResultBytes } = deps;
        const { state } = await repositories.open(sandbox, repo);
        return watcher.watch(
          {
            // Opened for each comparison: the repository may have changed.
            read: async (signal) => readText(await repositories.open(sandbox, repo, signal), maxResultBytes, signal),
            paths: () => [
              ...["HEAD", "index", "MERGE_HEAD"].map((name) => join(state.gitDir, name)),
              ...["refs", "packed-refs"].map((name) => join(state.commonDir, name)),
            ],
          },
          onChange,
        );
      }),
  });

function listResources(
  { sandboxes, repositories }: Dependencies,
  ctx: Context,
  { kind, title, isListed }: Pick<StateResource, "kind" | "title" | "isListed">,
) {
  return repositories
    .list(sandboxes.known(ctx), MAX_LISTED)
    .filter(({ real }) => isListed(real))
    .map(({ name }) => ({
      uri: uriOf(name, kind),
      name: `${name} ${kind}`,
      description: `${title} of ${name}`,
      mimeType: "text/plain",
    }));
}

export const status = (deps: Dependencies, watcher: Watcher) =>
  stateTemplate(deps, watcher, {
    kind: "status",
    title: "Status",
    description: "The state of the work tree; can be subscribed to.",
    readText: readStatusText,
    // A bare repository has no status.
    isListed: (top) => existsSync(join(top, ".git")),
  });

export const refs = (deps: Dependencies, watcher: Watcher) =>
  stateTemplate(deps, watcher, {
    kind: "refs",
    title: "Branches and tags",
    description: "HEAD and all branches and tags with their objects; can be subscribed to.",
    readText: readRefsText,
    isListed: () => true,
  });
