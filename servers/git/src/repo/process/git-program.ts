// Finds the git program. Its usual places come before PATH, so that a `git` in some other folder is not run.
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { GitError } from "../errors.ts";

const USUAL_PATHS: Readonly<Record<string, readonly string[]>> = {
  linux: ["/usr/bin/git", "/usr/local/bin/git", "/bin/git"],
  darwin: ["/opt/homebrew/bin/git", "/usr/local/bin/git", "/usr/bin/git"],
  win32: ["C:\\Program Files\\Git\\cmd\\git.exe", "C:\\Program Files (x86)\\Git\\cmd\\git.exe"],
};

/** The absolute path of git, or undefined. */
export function findGit(path: string | undefined): string | undefined {
  const usual = USUAL_PATHS[process.platform] ?? ["/usr/bin/git", "/usr/local/bin/git"];
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
  new GitError("git-missing", "git was not found: install it, or name the program with --git FILE. Then start the server again.");
