// Reads a repository's own configuration with git's parser, before any command that would act on it.
import { clip } from "@oarlock/domain-kit";
import { GitError } from "../errors.ts";
import { parseConfigList, type ConfigEntry } from "../process/config-list.ts";
import { environmentWithoutRepository } from "../process/environment.ts";
import { runRead } from "../process/read-command.ts";
import { entryAt } from "./file-entry.ts";
import { normalKey } from "./settings/key-parts.ts";
import { riskOf } from "./settings/setting-risk.ts";
import type { NewSettings, SettingRisk } from "./settings/setting-row.ts";

const MAX_BYTES = 4 * 1024 * 1024;

/** The settings of one file in their order. Includes are listed and not followed. `what`: what messages call the file. */
export async function readConfigFile(
  git: string,
  file: string,
  signal?: AbortSignal,
  what = "configuration of the repository",
): Promise<ConfigEntry[]> {
  const stat = entryAt(file);
  if (stat === undefined) return [];
  // Reading a pipe would block, and what a link leads to can change without a trace at the link.
  if (!stat.isFile()) throw new GitError("unsafe", `Refused: the ${what} is not a plain file. Replace it by one.`);
  if (stat.size > MAX_BYTES) throw new GitError("unsafe", `Refused: the ${what} is larger than ${MAX_BYTES} bytes. Make it smaller.`);
  const { exitCode, stdout, stderr } = await runRead(
    { git, env: environmentWithoutRepository(git), cwd: "/" },
    { args: ["config", "--file", file, "--no-includes", "--list", "-z"], maxBytes: MAX_BYTES, signal },
  );
  if (exitCode !== 0) throw new GitError("unsafe", `The ${what} cannot be read: ${clip(stderr.replaceAll(file, "config"))}`);
  return parseConfigList(stdout);
}

/** Which settings of a repository count as harmless besides those of the table, and which are new. */
export interface SettingPolicy {
  /** Keys in lower case, but for a subsection in the middle. */
  readonly allowed: ReadonlySet<string>;
  /** What the git in use reads and this server does not know. */
  readonly newSettings: NewSettings;
}

/** The keys of each risk, each once. `included`: what includes may do, by their keys. */
export function keysByRisk(
  entries: readonly ConfigEntry[],
  { allowed, newSettings }: SettingPolicy,
  included: ReadonlyMap<string, ReadonlySet<SettingRisk>> = new Map(),
): Record<SettingRisk, string[]> {
  const keys: Record<SettingRisk, string[]> = { harmless: [], network: [], change: [], merge: [], unsafe: [], unknown: [] };
  for (const { key, value } of entries) {
    const own = allowed.has(normalKey(key)) ? "harmless" : riskOf(key, value, newSettings);
    for (const risk of included.get(key) ?? [own]) if (!keys[risk].includes(key)) keys[risk].push(key);
  }
  return keys;
}
