// What every tool is made from.
import type { InteractiveContext } from "@oarlock/server-kit";
import { Areas, type RootsMode } from "./request-sandbox.ts";
import type { Network } from "./repo/remote/network.ts";
import { Repositories } from "./repo/repositories.ts";
import type { Repository } from "./repo/repository.ts";
import type { Wall } from "./repo/safety/sandbox.ts";

/** What is known at the start. */
export interface Given {
  readonly walls: readonly Wall[];
  /** What the client's roots do to them. */
  readonly roots: RootsMode;
  /** Repositories that are opened though another user owns them or their configuration names programs. */
  readonly trusted: readonly string[];
  /** The most that one reply may weigh, in bytes. */
  readonly maxResultBytes: number;
  /** Acts that discard work go on without a question. */
  readonly allowDiscard: boolean;
  /** The hooks of the repository run, as in git at a terminal. */
  readonly runHooks: boolean;
  /** Commits and tags are signed, as the user's own configuration says. */
  readonly sign: boolean;
  /** The git program. */
  readonly git: string | undefined;
  /** How other machines may be reached. */
  readonly network: Network;
  /** The operator's own environment: who commits. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface Parts extends Given {
  readonly areas: Areas;
  readonly repositories: Repositories;
}

export const partsOf = (given: Given): Parts => ({
  ...given,
  areas: new Areas(given.walls, given.roots),
  repositories: new Repositories(given),
});

/** The repository that a call is about. */
export async function opened({ areas, repositories }: Parts, ctx: InteractiveContext, repoPath: string | undefined): Promise<Repository> {
  const area = await areas.of(ctx);
  return repositories.open(area, repoPath, ctx.signal);
}
