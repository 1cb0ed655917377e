// The git program: looked for once, at its usual places before those of PATH, so that a `git` that somebody put in front is not run.
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { GitError } from "../errors.ts";

/** What is used here (worktree list -z, cat-file with bytes) is in git since then. */
const LEAST = [2, 36] as const;

const USUAL: Readonly<Record<string, readonly string[]>> = {
  linux: ["/usr/bin/git", "/usr/local/bin/git", "/bin/git"],
  darwin: ["/opt/homebrew/bin/git", "/usr/local/bin/git", "/usr/bin/git"],
  win32: ["C:\\Program Files\\Git\\cmd\\git.exe", "C:\\Program Files (x86)\\Git\\cmd\\git.exe"],
};

/** The absolute path of git, or undefined. */
export function findGit(path: string | undefined): string | undefined {
  const usual = USUAL[process.platform] ?? ["/usr/bin/git", "/usr/local/bin/git"];
  const name = process.platform === "win32" ? "git.exe" : "git";
  const others = (path ?? "").split(delimiter).filter(isAbsolute);
  return [...usual, ...others.map((folder) => join(folder, name))].find(isProgram);
}

export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

export const gitMissing = (): GitError =>
  new GitError("git-missing", "git was not found: install it, or name it with --git FILE, and start the server again.");

/** Refuses a version that is too old; one that says nothing readable passes. */
export function checkVersion(said: string): void {
  const [, major, minor] = /(\d+)\.(\d+)/.exec(said) ?? [];
  if (major === undefined || minor === undefined) return;
  const older = Number(major) < LEAST[0] || (Number(major) === LEAST[0] && Number(minor) < LEAST[1]);
  if (older)
    throw new GitError(
      "git-missing",
      `git ${major}.${minor} is too old: this server needs git ${LEAST.join(".")} or later. Update it, or name a newer one with --git FILE.`,
    );
}
