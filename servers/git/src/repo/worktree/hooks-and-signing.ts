// Hooks and signatures: off, unless the operator asked for them; then a signer comes from the user's own configuration alone.
import { readdirSync, accessSync, constants } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { lastOf } from "../safety/repository-config.ts";
import type { Setting } from "../process/environment.ts";
import type { Repository } from "../repository.ts";
import { homeOf, userConfig, type HostEnvironment } from "../process/user-config.ts";

export interface Allowed {
  readonly runHooks: boolean;
  readonly sign: boolean;
  readonly env: HostEnvironment;
}

/** Settings and variables of a command that writes commits or tags. */
export async function allowances(
  repository: Repository,
  { runHooks, sign, env: host }: Allowed,
): Promise<{ settings: Setting[]; env: Record<string, string> }> {
  const settings: Setting[] = [];
  let env: Record<string, string> = {};
  if (runHooks) {
    settings.push(["core.hooksPath", hooksFolder(repository)]);
    // Hooks are programs of the user, and are run as at a terminal.
    env = { ...env, PATH: host["PATH"] ?? "", ...homeOf(host) };
  }
  if (sign) {
    const user = await userConfig(repository, host);
    const pick = (key: string, otherwise: string): Setting => [key, lastOf(user, key) ?? otherwise];
    settings.push(
      ["commit.gpgSign", "true"],
      ["tag.gpgSign", "true"],
      pick("gpg.format", "openpgp"),
      pick("gpg.program", "gpg"),
      ["gpg.openpgp.program", lastOf(user, "gpg.openpgp.program") ?? lastOf(user, "gpg.program") ?? "gpg"],
      pick("gpg.ssh.program", "ssh-keygen"),
      pick("gpg.x509.program", "gpgsm"),
      pick("gpg.ssh.defaultkeycommand", ""),
      pick("user.signingkey", ""),
    );
    for (const name of ["GNUPGHOME", "GPG_AGENT_INFO", "SSH_AUTH_SOCK", "GPG_TTY"]) {
      const value = host[name];
      if (value !== undefined) env[name] = value;
    }
    env = { ...env, PATH: host["PATH"] ?? "", ...homeOf(host) };
  }
  return { settings, env };
}

/** Where the hooks of a repository are. */
function hooksFolder({ facts }: Repository): string {
  const set = lastOf(facts.config, "core.hookspath");
  return set === undefined ? join(facts.commonDir, "hooks") : isAbsolute(set) ? set : resolve(facts.top, set);
}

/** Hooks that there are, of those that a command would run. */
export function hooksAmong(repository: Repository, names: readonly string[]): string[] {
  const folder = hooksFolder(repository);
  try {
    return readdirSync(folder).filter((name) => names.includes(name) && isExecutable(join(folder, name)));
  } catch {
    return [];
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
