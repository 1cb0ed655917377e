// What the resources have in common: opening the repository, and saying "not found" for all that may not be touched.
import { invalidParams, resourceNotFound, type InteractiveContext, type Context } from "@oarlock/server-kit";
import type { Parts } from "../dependencies.ts";
import { GitError } from "../repo/errors.ts";
import type { Repository } from "../repo/repository.ts";

/** What may not be touched and what is not there are one and the same to a reader. */
export async function found<T>(uri: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    if (["denied", "not-found", "not-a-repository"].includes(error.code)) throw resourceNotFound(uri);
    throw invalidParams(error.message);
  }
}

export async function read({ areas, repositories }: Parts, repo: string, ctx: InteractiveContext): Promise<Repository> {
  return repositories.open(await areas.of(ctx), repo, ctx.signal);
}

/** For those who may not ask: completion and watches. */
export async function known(
  { areas, repositories }: Parts,
  repo: string | undefined,
  ctx: Context,
  signal = ctx.signal,
): Promise<Repository> {
  return repositories.open(areas.known(ctx), repo, signal);
}

const YEAR_MS = 365 * 24 * 3600 * 1000;
/** What is named by a whole hash never changes. */
export const forGood = { ttlMs: YEAR_MS } as const;
