// Sections of the configuration that a git reads which is newer than the tables of this server: git itself lists them.
import { environmentWithoutRepository } from "../../process/environment.ts";
import { readVersion, type GitVersion } from "../../process/git-version.ts";
import { runRead } from "../../process/read-command.ts";
import { isKnownSection } from "./setting-risk.ts";
import type { Sections } from "./setting-row.ts";

/** The version whose documentation the tables follow. */
const KNOWN = { major: 2, minor: 55 } as const;
const MAX_BYTES = 1024 * 1024;

/** Every key that this git documents, one a line. */
const LIST = ["help", "--config-for-completion"] as const;

export interface GitFacts {
  /** Undefined where git names none. */
  readonly version: GitVersion | undefined;
  /** Sections that came after the known version; none for a git that is not newer, every unknown one for a git that does not list its own. */
  readonly newSections: Sections;
}

/** Throws for a git that is too old. */
export async function readGitFacts(git: string): Promise<GitFacts> {
  const version = await readVersion(git);
  if (version !== undefined && !isNewer(version)) return { version, newSections: new Set() };
  const listed = await runRead({ git, env: environmentWithoutRepository(git), cwd: "/" }, { args: LIST, maxBytes: MAX_BYTES });
  const isWhole = listed.exitCode === 0 && !listed.isTruncated;
  return { version, newSections: isWhole ? newSectionsIn(listed.stdout.toString()) : { has: () => true } };
}

const isNewer = ({ major, minor }: GitVersion): boolean => major > KNOWN.major || (major === KNOWN.major && minor > KNOWN.minor);

/** `keys`: one a line, as `git help --config-for-completion` prints them. */
export function newSectionsIn(keys: string): Set<string> {
  const sections = keys.split("\n").map((key) => key.slice(0, Math.max(0, key.indexOf("."))).toLowerCase());
  return new Set(sections.filter((section) => section !== "" && !isKnownSection(section)));
}
