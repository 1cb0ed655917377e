// What every tool is made from.
import type { AskingContext } from "@oarlock/server-kit";
import type { Areas } from "./areas.ts";
import type { Network } from "./repo/network.ts";
import type { Repositories } from "./repo/repositories.ts";
import type { Repository } from "./repo/repository.ts";

export interface Parts {
  readonly areas: Areas;
  readonly repositories: Repositories;
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

/** The repository that a call is about. */
export async function opened({ areas, repositories }: Parts, ctx: AskingContext, repoPath: string | undefined): Promise<Repository> {
  const area = await areas.of(ctx);
  return repositories.open(area, repoPath, ctx.signal);
}
