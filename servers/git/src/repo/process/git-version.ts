// The version of the git program, which must be new enough.
import { GitError } from "../errors.ts";
import { environmentWithoutRepository } from "./environment.ts";
import { runRead } from "./read-command.ts";

/** The first version with `worktree list -z` and `cat-file --batch-command`. */
const MIN_VERSION = [2, 36] as const;

export interface GitVersion {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
}

/** `output`: that of `git --version`. Undefined where it names no version. */
function parseVersion(output: string): GitVersion | undefined {
  const [, major, minor, patch = "0"] = /(\d+)\.(\d+)(?:\.(\d+))?/.exec(output) ?? [];
  return major === undefined ? undefined : { major: Number(major), minor: Number(minor), patch: Number(patch) };
}

/** Throws for a version that is too old. `output`: that of `git --version`; an unreadable one passes. */
export function checkVersion(output: string): GitVersion | undefined {
  const version = parseVersion(output);
  if (version === undefined) return undefined;
  const { major, minor } = version;
  const isOlder = major < MIN_VERSION[0] || (major === MIN_VERSION[0] && minor < MIN_VERSION[1]);
  if (isOlder)
    throw new GitError(
      "git-missing",
      `git ${major}.${minor} is too old: this server needs git ${MIN_VERSION.join(".")} or later. Update git, or name a newer program with --git FILE.`,
    );
  return version;
}

/** Throws for a version that is too old. */
export async function readVersion(git: string): Promise<GitVersion | undefined> {
  const { stdout } = await runRead({ git, env: environmentWithoutRepository(git), cwd: "/" }, { args: ["--version"] });
  return checkVersion(stdout.toString());
}
