// Hooks and signatures: off, unless the operator switched them on. Signers come only from the user's own configuration.
import { accessSync, constants, readdirSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { platform, userVariables, variableOf, variablesOf, type HostEnvironment } from "../../platform.ts";
import { lastValue } from "../process/config-list.ts";
import type { Setting } from "../process/environment.ts";
import type { Repository } from "../repository.ts";

/** Which programs of the user git may start. */
export interface ProgramPolicy {
  /** Whether filters of the user's own configuration run. */
  readonly filters: boolean;
  readonly runHooks: boolean;
  readonly sign: boolean;
  readonly env: HostEnvironment;
}

const SIGNER_VARIABLES = ["GNUPGHOME", "GPG_AGENT_INFO", "SSH_AUTH_SOCK", "GPG_TTY"];

/** Settings and variables of a command that writes commits or tags. */
export function programSettings(
  repository: Repository,
  { runHooks, sign, env: host }: ProgramPolicy,
): { settings: Setting[]; env: Record<string, string> } {
  const settings: Setting[] = [
    ...(runHooks ? [["core.hooksPath", hooksFolder(repository)] as const] : []),
    ...(sign ? signingSettings(repository) : []),
  ];
  if (!runHooks && !sign) return { settings, env: {} };
  const machine = { platform, env: host };
  const signer = sign ? variablesOf(machine, SIGNER_VARIABLES) : {};
  // Hooks and signers run with the user's home and PATH, as at a terminal.
  return { settings, env: { ...signer, PATH: variableOf(machine, "PATH") ?? "", ...userVariables(machine) } };
}

function signingSettings({ user: { entries } }: Repository): Setting[] {
  const setting = (key: string, otherwise: string): Setting => [key, lastValue(entries, key) ?? otherwise];
  return [
    ["commit.gpgSign", "true"],
    ["tag.gpgSign", "true"],
    setting("gpg.format", "openpgp"),
    setting("gpg.program", "gpg"),
    setting("gpg.openpgp.program", lastValue(entries, "gpg.program") ?? "gpg"),
    setting("gpg.ssh.program", "ssh-keygen"),
    setting("gpg.x509.program", "gpgsm"),
    setting("gpg.ssh.defaultkeycommand", ""),
    setting("user.signingkey", ""),
  ];
}

/** Whether the configuration asks for signed commits, or tags. git takes a key without a value for true. */
export function wantsSignature(
  { ownSettings, user }: Repository,
  key: "commit.gpgsign" | "tag.gpgsign" | "tag.forcesignannotated",
): boolean {
  const setting = [...user.entries, ...ownSettings].findLast((entry) => entry.key === key);
  return setting !== undefined && /^(?:true|yes|on|1)$/i.test(setting.value ?? "true");
}

function hooksFolder({ state }: Repository): string {
  const configured = lastValue(state.config, "core.hookspath");
  if (configured === undefined) return join(state.commonDir, "hooks");
  return isAbsolute(configured) ? configured : resolve(state.top, configured);
}

/** Which of these hooks are installed. */
export function installedHooks(repository: Repository, names: readonly string[]): string[] {
  const folder = hooksFolder(repository);
  try {
    return readdirSync(folder)
      .filter((name) => names.includes(name) && isExecutable(join(folder, name)))
      .toSorted();
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
