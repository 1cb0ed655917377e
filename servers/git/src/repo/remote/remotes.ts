// The remotes of a repository: names and addresses, without credentials.
import { clip } from "@oarlock/domain-kit";
import { GitError } from "../errors.ts";
import { suggestNames } from "../refs/ref-list.ts";
import { checkRefName } from "../refs/revision-syntax.ts";
import type { Repository } from "../repository.ts";
import { redactCredentials } from "../safety/credential-redaction.ts";
import { checkAddress } from "./addresses.ts";

export interface Remote {
  readonly name: string;
  /** Empty where the configuration has none. */
  readonly url: string;
  readonly pushUrl?: string;
}

/** By name, as git lists them. */
export function listRemotes({ state }: Repository): Remote[] {
  const addresses = new Map<string, { url?: string; pushUrl?: string }>();
  for (const { key, value } of state.config) {
    const [, name, kind] = /^remote\.([^]+)\.([^.]+)$/.exec(key) ?? [];
    if (name === undefined) continue;
    const remote = addresses.get(name) ?? {};
    if (kind === "url" && value !== undefined) remote.url ??= redactCredentials(value);
    if (kind === "pushurl" && value !== undefined) remote.pushUrl ??= redactCredentials(value);
    addresses.set(name, remote);
  }
  return [...addresses]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, { url = "", pushUrl }]) => ({ name, url, ...(pushUrl !== undefined && { pushUrl }) }));
}

/** The remote with this name; without one that of the current branch, the only one, or origin. Throws for a forbidden address. */
export function selectRemote(repository: Repository, name: string | undefined, protocols: readonly string[]): Remote {
  const remotes = listRemotes(repository);
  const wanted = name ?? upstreamRemote(repository) ?? (remotes.length === 1 ? remotes[0]?.name : undefined) ?? "origin";
  const found = remotes.find((remote) => remote.name === wanted);
  if (found === undefined) throw unknownRemote(wanted, remotes);
  // git would take the name for the address.
  if (found.url === "") throw new GitError("invalid", `Remote "${clip(wanted)}" has no address: set remote.${clip(wanted)}.url.`);
  for (const { key, value } of repository.state.config)
    if ((key === `remote.${wanted}.url` || key === `remote.${wanted}.pushurl`) && value !== undefined) checkAddress(value, protocols);
  return found;
}

/** The remote that the current branch follows. */
function upstreamRemote(repository: Repository): string | undefined {
  const { branch } = repository.head();
  const remote = branch && repository.state.config.findLast(({ key }) => key === `branch.${branch}.remote`)?.value;
  return remote === "." ? undefined : remote;
}

function unknownRemote(wanted: string, remotes: readonly Remote[]): GitError {
  const names = remotes.map(({ name }) => name);
  const near = suggestNames(wanted, names);
  const hint =
    near.length > 0
      ? `did you mean ${near.join(", ")}?`
      : names.length === 0
        ? "the repository has none. git_remote adds one."
        : `the repository has ${names.join(", ")}.`;
  return new GitError("not-found", `There is no remote "${clip(redactCredentials(wanted))}": ${hint}`);
}

export async function addRemote(
  repository: Repository,
  name: string,
  url: string,
  protocols: readonly string[],
  signal?: AbortSignal,
): Promise<void> {
  checkRefName(name, "remote");
  checkAddress(url, protocols);
  const taken = `Remote "${clip(name)}" already exists: choose another name, or remove it first.`;
  await repository.create({ args: ["remote", "add", "--", name, url], signal }, taken);
}

export function requireRemote(repository: Repository, name: string): void {
  const remotes = listRemotes(repository);
  if (!remotes.some((remote) => remote.name === name)) throw unknownRemote(name, remotes);
}

export async function removeRemote(repository: Repository, name: string, signal?: AbortSignal): Promise<void> {
  await repository.change({ args: ["remote", "remove", "--", name], signal });
}
