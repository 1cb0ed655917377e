// Who commits: the operator's variables first, then the repository's configuration, then the user's own; never a name made up by git.
import { lastValue } from "../process/config-list.ts";
import { identityMissing } from "../process/git-failure.ts";
import { userConfig, type HostEnvironment } from "../process/user-config.ts";
import type { Repository } from "../repository.ts";

/** The variables for author and committer. Throws a {@link GitError} where a name or address is missing. */
export async function committerIdentity(repository: Repository, host: HostEnvironment): Promise<Record<string, string>> {
  const env: Record<string, string> = {};
  for (const role of ["author", "committer"]) {
    for (const part of ["name", "email"]) {
      const variable = `GIT_${role}_${part}`.toUpperCase();
      const keys = [`${role}.${part}`, `user.${part}`];
      const value = host[variable] || (await configuredValue(repository, keys, host));
      if (!value) throw identityMissing();
      env[variable] = value;
    }
  }
  return env;
}

/** The first of these settings that is set, in the repository or by the user. */
async function configuredValue(repository: Repository, keys: readonly string[], host: HostEnvironment): Promise<string | undefined> {
  for (const key of keys) {
    const value = lastValue(repository.state.config, key);
    if (value !== undefined) return value;
  }
  const user = await userConfig(repository, host);
  return keys.map((key) => lastValue(user, key)).find((value) => value !== undefined);
}
