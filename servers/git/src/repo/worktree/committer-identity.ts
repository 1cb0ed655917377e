// Who commits: the operator's variables first, then the repository's configuration, then the user's own; never a name made up by git.
import type { HostEnvironment } from "../../platform.ts";
import { lastValue } from "../process/config-list.ts";
import { identityMissing } from "../process/git-failure.ts";
import type { Repository } from "../repository.ts";

/** The variables for author and committer. Throws a {@link GitError} where a name or address is missing. */
export function committerIdentity(repository: Repository, host: HostEnvironment): Record<string, string> {
  const identity = knownIdentity(repository, host);
  if (identity === undefined) throw identityMissing();
  return identity;
}

/** The same; undefined where a name or address is missing. */
export function knownIdentity(repository: Repository, host: HostEnvironment): Record<string, string> | undefined {
  const env: Record<string, string> = {};
  for (const role of ["author", "committer"]) {
    for (const part of ["name", "email"]) {
      const variable = `GIT_${role}_${part}`.toUpperCase();
      const keys = [`${role}.${part}`, `user.${part}`];
      const value = host[variable] || configuredValue(repository, keys);
      if (!value) return undefined;
      env[variable] = value;
    }
  }
  return env;
}

/** The first of these settings that is set, in the repository or by the user. */
function configuredValue({ ownSettings, user }: Repository, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = lastValue(ownSettings, key);
    if (value !== undefined) return value;
  }
  return keys.map((key) => lastValue(user.entries, key)).find((value) => value !== undefined);
}
