// How resources open repositories, and the errors that their readers see.
import { invalidParams, resourceNotFound, type InteractiveContext } from "@oarlock/server-kit";
import { DomainError } from "@oarlock/domain-kit";
import type { Dependencies } from "../dependencies.ts";
import type { Repository } from "../repo/repository.ts";

const NOT_FOUND_CODES: readonly string[] = ["denied", "not-found", "not-a-repository"];

/** Turns errors of the domain into protocol errors. A reader cannot tell a forbidden repository from a missing one. */
export async function withResourceErrors<T>(uri: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw NOT_FOUND_CODES.includes(error.code) ? resourceNotFound(uri) : invalidParams(error.message);
  }
}

/** Opens the repository that a URI names and reads from it, with the errors of `withResourceErrors`. */
export async function readFrom<T>(
  { sandboxes, repositories }: Dependencies,
  { repo, uri }: { repo: string; uri: string },
  ctx: InteractiveContext,
  read: (repository: Repository) => Promise<T>,
): Promise<T> {
  return withResourceErrors(uri, async () => read(await repositories.open(await sandboxes.forRequest(ctx), repo, ctx.signal)));
}

const YEAR_MS = 365 * 24 * 3600 * 1000;
/** The cache of resources that a complete id names: they never change. */
export const IMMUTABLE = { ttlMs: YEAR_MS } as const;

/** Kept free in a reply for the members around the text. */
export const RESERVED_BYTES = 1000;
