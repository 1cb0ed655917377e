// What every tool, resource and prompt is made from.
import type { CursorSealer } from "@oarlock/domain-kit";
import type { InteractiveContext } from "@oarlock/server-kit";
import type { NetworkPolicy } from "./repo/remote/network.ts";
import { Repositories } from "./repo/repositories.ts";
import type { Repository } from "./repo/repository.ts";
import type { SandboxFolder } from "./repo/safety/sandbox.ts";
import type { ProgramPolicy } from "./repo/worktree/hooks-and-signing.ts";
import { RequestSandboxes, type RootsMode } from "./request-sandbox.ts";

/** The operator's choices, known when the server starts. */
export interface ServerConfiguration extends ProgramPolicy {
  readonly folders: readonly SandboxFolder[];
  /** What the client's roots do to the folders. */
  readonly roots: RootsMode;
  /** Folders whose repositories are opened although another user owns them or their configuration names programs. */
  readonly trusted: readonly string[];
  /** Keys of settings that a repository may hold although they are not known to be harmless. */
  readonly allowedSettings: readonly string[];
  /** Messages and contents of commits by other authors are hidden. */
  readonly lockdown: boolean;
  /** How long a changing command may take, hooks included, in milliseconds. */
  readonly changeTimeoutMs: number;
  /** Size limit of one reply, in bytes. */
  readonly maxResultBytes: number;
  /** Calls that discard work continue without asking the user. */
  readonly allowDiscard: boolean;
  /** Tools that list and change only list. */
  readonly readOnly: boolean;
  /** Absolute path of the git program; undefined where none was found. */
  readonly git: string | undefined;
  readonly network: NetworkPolicy;
  /** Milliseconds between two comparisons of a subscribed resource. */
  readonly lookMs: number | undefined;
  /** Seals the cursors of cut lists. */
  readonly cursors: CursorSealer;
}

export interface Dependencies extends ServerConfiguration {
  readonly sandboxes: RequestSandboxes;
  readonly repositories: Repositories;
}

export const createDependencies = (configuration: ServerConfiguration): Dependencies => ({
  ...configuration,
  sandboxes: new RequestSandboxes(configuration.folders, configuration.roots),
  repositories: new Repositories(configuration),
});

/** Opens the repository that a call names, checked against the sandbox of the request. */
export async function openRepository(
  { sandboxes, repositories }: Dependencies,
  ctx: InteractiveContext,
  repoPath: string | undefined,
): Promise<Repository> {
  return repositories.open(await sandboxes.forRequest(ctx), repoPath, ctx.signal);
}
