// Reads a repository's own configuration with git's parser, before any command that would act on it.
import { closeSync, fstatSync } from "node:fs";
import { clip, systemErrorCode } from "@oarlock/domain-kit";
import { GitError } from "../errors.ts";
import { parseConfigList, type ConfigEntry } from "../process/config-list.ts";
import { environmentWithoutRepository } from "../process/environment.ts";
import { runRead } from "../process/read-command.ts";
import { entryAt, openPlain, readWhole } from "./file-entry.ts";
import { normalKey } from "./settings/key-parts.ts";
import { riskOf } from "./settings/setting-risk.ts";
import type { NewSettings, SettingRisk } from "./settings/setting-row.ts";

const MAX_BYTES = 4 * 1024 * 1024;
const MAX_KNOWN = 64;
const MAX_KNOWN_BYTES = 16 * 1024;

/** The settings in texts that git has parsed before: the same text has the same settings. */
const known = new Map<string, readonly ConfigEntry[]>();

/** The settings of one file in their order. Includes are listed and not followed. `what`: what messages call the file. */
export async function readConfigFile(
  git: string,
  file: string,
  signal?: AbortSignal,
  what = "configuration of the repository",
): Promise<readonly ConfigEntry[]> {
  const stat = entryAt(file);
  if (stat === undefined) return [];
  // Reading a pipe would block, and what a link leads to can change without a trace at the link.
  if (!stat.isFile()) throw new GitError("unsafe", `Refused: the ${what} is not a plain file. Replace it by one.`);
  if (stat.size > MAX_BYTES) throw new GitError("unsafe", `Refused: the ${what} is larger than ${MAX_BYTES} bytes. Make it smaller.`);
  const text = readPlain(file);
  const settings = text === undefined ? "check its permissions, then try again." : await parseConfig(git, text, signal);
  if (typeof settings !== "string") return settings;
  throw new GitError("unsafe", `The ${what} cannot be read: ${clip(settings.replace("standard input", "file config"))}`);
}

/** The whole of a plain file; undefined for anything else that has taken its place, and where it may not be read. */
function readPlain(path: string): Buffer | undefined {
  let file: number | undefined;
  try {
    file = openPlain(path);
    const stat = fstatSync(file);
    return stat.isFile() && stat.size <= MAX_BYTES ? readWhole(file, stat.size) : undefined;
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** The settings in the text of a file, in their order, as git reads them; or why it cannot. Includes are listed and not followed. */
export async function parseConfig(git: string, text: Buffer, signal?: AbortSignal): Promise<readonly ConfigEntry[] | string> {
  const key = `${git}\0${text.toString("latin1")}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const args = ["config", "--file", "-", "--no-includes", "--list", "-z"];
  const context = { git, env: environmentWithoutRepository(git), cwd: "/" };
  const { exitCode, stdout, stderr, isTruncated } = await runRead(context, { args, input: text, signal });
  if (exitCode !== 0 || isTruncated) return stderr;
  const entries = parseConfigList(stdout);
  if (known.size >= MAX_KNOWN) known.clear();
  if (text.length + stdout.length <= MAX_KNOWN_BYTES) known.set(key, entries);
  return entries;
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
