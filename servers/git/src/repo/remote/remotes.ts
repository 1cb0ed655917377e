// The remotes of a repository: their names and addresses, without passwords.
import { GitError, clip } from "../errors.ts";
import { failure } from "../process/git-failure.ts";
import { checkAddress, type Network } from "./network.ts";
import { withoutPasswords } from "../safety/credential-redaction.ts";
import type { Repository } from "../repository.ts";
import { checkRefName, nearestNames } from "../refs/revision-syntax.ts";

export interface Remote {
  readonly name: string;
  readonly url: string;
  readonly pushUrl?: string;
}

export function remotesOf({ facts }: Repository): Remote[] {
  const found = new Map<string, { url?: string; pushUrl?: string }>();
  for (const { key, value } of facts.config) {
    const [, name, what] = /^remote\.([^]+)\.(url|pushurl)$/.exec(key) ?? [];
    if (name === undefined || value === undefined) continue;
    const remote = found.get(name) ?? {};
    if (what === "url") remote.url ??= withoutPasswords(value);
    else remote.pushUrl ??= withoutPasswords(value);
    found.set(name, remote);
  }
  return [...found].flatMap(([name, { url, pushUrl }]) =>
    url === undefined ? [] : [{ name, url, ...(pushUrl !== undefined && { pushUrl }) }],
  );
}

/** The remote that is meant: by name, or the one of the current branch, or origin. Its addresses are checked. */
export function remoteNamed(repository: Repository, name: string | undefined, network: Network): Remote {
  const all = remotesOf(repository);
  const { branch } = repository.head();
  const own = branch === undefined ? undefined : repository.facts.config.findLast(({ key }) => key === `branch.${branch}.remote`)?.value;
  const wanted = name ?? (own !== undefined && own !== "." ? own : all.length === 1 ? all[0]?.name : undefined) ?? "origin";
  const found = all.find((remote) => remote.name === wanted);
  if (found === undefined) {
    const near = nearestNames(
      wanted,
      all.map((remote) => remote.name),
    );
    const hint =
      near.length > 0
        ? `did you mean ${near.join(", ")}?`
        : all.length === 0
          ? "there are none; git_remote adds one."
          : `there are ${all.map((remote) => remote.name).join(", ")}.`;
    throw new GitError("not-found", `There is no remote "${clip(withoutPasswords(wanted))}": ${hint}`);
  }
  for (const { key, value } of repository.facts.config)
    if ((key === `remote.${wanted}.url` || key === `remote.${wanted}.pushurl`) && value !== undefined) checkAddress(value, network);
  return found;
}

export async function addRemote(repository: Repository, name: string, url: string, network: Network, signal?: AbortSignal): Promise<void> {
  checkRefName(name, "remote");
  checkAddress(url, network);
  const ran = await repository.try({ args: ["remote", "add", "--", name, url], signal });
  if (ran.code === 0) return;
  if (/already exists/.test(ran.stderr)) throw new GitError("conflict", `A remote "${clip(name)}" exists already.`);
  throw failure(repository, ran, ["remote"]);
}

export function mustBeRemote(repository: Repository, name: string): void {
  if (!remotesOf(repository).some((remote) => remote.name === name)) throw new GitError("not-found", `There is no remote "${clip(name)}".`);
}

export async function removeRemote(repository: Repository, name: string, signal?: AbortSignal): Promise<void> {
  await repository.run({ args: ["remote", "remove", "--", name], signal });
}
