// Settings that a git reads which is newer than the tables of this server: git itself lists them.
import { environmentWithoutRepository } from "../../process/environment.ts";
import { readVersion, type GitVersion } from "../../process/git-version.ts";
import { runRead } from "../../process/read-command.ts";
import { keyParts } from "./key-parts.ts";
import { isKnownSection, isOtherName } from "./setting-risk.ts";
import type { NewSettings } from "./setting-row.ts";

/** The version whose documentation the tables follow. */
const KNOWN = { major: 2, minor: 55 } as const;
const MAX_BYTES = 1024 * 1024;

/** Every key that this git documents, one a line. */
const LIST = ["help", "--config-for-completion"] as const;

export interface GitFacts {
  /** Undefined where git names none. */
  readonly version: GitVersion | undefined;
  /** What came after the known version; nothing for a git that is not newer, everything unknown for a git that does not list its own. */
  readonly newSettings: NewSettings;
}

/** By program; all servers of a process share them. */
const known = new Map<string, Promise<GitFacts>>();

/** Asks a program once. Throws for a git that is too old. */
export async function gitFacts(git: string): Promise<GitFacts> {
  const facts = known.get(git) ?? readGitFacts(git);
  known.set(git, facts);
  try {
    return await facts;
  } catch (error) {
    known.delete(git);
    throw error;
  }
}

async function readGitFacts(git: string): Promise<GitFacts> {
  const version = await readVersion(git);
  if (version !== undefined && !isNewer(version)) return { version, newSettings: new Set() };
  const listed = await runRead({ git, env: environmentWithoutRepository(git), cwd: "/" }, { args: LIST, maxBytes: MAX_BYTES });
  const isWhole = listed.exitCode === 0 && !listed.isTruncated;
  return { version, newSettings: isWhole ? newSettingsIn(listed.stdout.toString()) : { has: () => true } };
}

const isNewer = ({ major, minor }: GitVersion): boolean => major > KNOWN.major || (major === KNOWN.major && minor > KNOWN.minor);

/** `keys`: one a line, as `git help --config-for-completion` prints them. */
export function newSettingsIn(keys: string): Set<string> {
  const found = new Set<string>();
  for (const key of keys.split("\n")) {
    const parts = keyParts(key);
    if (parts === undefined || parts.section === "") continue;
    if (!isKnownSection(parts.section)) found.add(parts.section);
    else if (isOtherName(parts)) found.add(`${parts.section}.${parts.name}`);
  }
  return found;
}
