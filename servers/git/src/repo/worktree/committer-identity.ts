// Who commits: what the operator set for the server, then what the repository says, then the user's own configuration; never a made-up
// name of the machine.
import { lastOf } from "../safety/repository-config.ts";
import { GitError } from "../errors.ts";
import type { Repository } from "../repository.ts";
import { userConfig, type HostEnvironment } from "../process/user-config.ts";

/** The variables for git, for author and committer. */
export async function identityOf(repository: Repository, host: HostEnvironment): Promise<Record<string, string>> {
  const own = (role: string, part: "name" | "email"): string | undefined => {
    const set = host[`GIT_${role}_${part.toUpperCase()}`];
    return set === undefined || set === ""
      ? (lastOf(repository.facts.config, `${role.toLowerCase()}.${part}`) ?? lastOf(repository.facts.config, `user.${part}`))
      : set;
  };
  const env: Record<string, string> = {};
  let user: Awaited<ReturnType<typeof userConfig>> | undefined;
  for (const role of ["AUTHOR", "COMMITTER"]) {
    for (const part of ["name", "email"] as const) {
      let value = own(role, part);
      if (value === undefined) {
        user ??= await userConfig(repository, host);
        value = lastOf(user, `${role.toLowerCase()}.${part}`) ?? lastOf(user, `user.${part}`);
      }
      if (value === undefined || value === "")
        throw new GitError(
          "invalid",
          "git does not know who commits: set user.name and user.email (git config --global user.name …), or start the server with GIT_AUTHOR_NAME, GIT_AUTHOR_EMAIL, GIT_COMMITTER_NAME and GIT_COMMITTER_EMAIL set.",
        );
      env[`GIT_${role}_${part.toUpperCase()}`] = value;
    }
  }
  return env;
}
