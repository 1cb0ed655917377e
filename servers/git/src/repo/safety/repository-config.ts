// A repository's own configuration, read by git's own parser and by nothing that acts on it, and judged before any command that would.
import { lstatSync, statSync } from "node:fs";
import { GitError, clip } from "../errors.ts";
import { environmentOfNone } from "../process/environment.ts";
import { judge } from "./harmless-settings.ts";
import { runGit } from "../process/git-process.ts";

export interface ConfigEntry {
  readonly key: string;
  /** Undefined where the file names the setting without one, which means true. */
  readonly value: string | undefined;
}

const MOST_BYTES = 4 * 1024 * 1024;

/** The settings of one file, in their order; includes are listed and not followed. */
export async function readConfigFile(git: string, file: string, signal?: AbortSignal): Promise<ConfigEntry[]> {
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return [];
  // A pipe would hold up whoever reads it.
  if (!statSync(file, { throwIfNoEntry: false })?.isFile())
    throw new GitError("unsafe", "The configuration of the repository is not a plain file.");
  if (stat.size > MOST_BYTES) throw new GitError("unsafe", "The configuration of the repository is larger than any should be.");
  const { code, stdout, stderr } = await runGit(
    { git, env: environmentOfNone(git), cwd: "/" },
    { args: ["config", "--file", file, "--no-includes", "--list", "-z"], maxBytes: MOST_BYTES, signal },
  );
  if (code !== 0)
    throw new GitError("unsafe", `The configuration of the repository cannot be read: ${clip(stderr.replaceAll(file, "config"))}`);
  return entriesOf(stdout.toString("utf8"));
}

function entriesOf(listed: string): ConfigEntry[] {
  return listed
    .split("\0")
    .filter((record) => record !== "")
    .map((record) => {
      const end = record.indexOf("\n");
      return end === -1 ? { key: record, value: undefined } : { key: record.slice(0, end), value: record.slice(end + 1) };
    });
}

export interface Judged {
  /** The first settings that are not known to be harmless. */
  readonly foreign: readonly string[];
  /** Settings that choose how the network is used. */
  readonly network: readonly string[];
}

export function judgeConfig(entries: readonly ConfigEntry[]): Judged {
  const of = (wanted: string) => [...new Set(entries.filter(({ key, value }) => judge(key, value) === wanted).map(({ key }) => key))];
  return { foreign: of("foreign"), network: of("local") };
}

/** The last value of a setting, as git takes it. */
export const lastOf = (entries: readonly ConfigEntry[], key: string): string | undefined =>
  entries.findLast((entry) => entry.key === key)?.value;
