// Finds the git program. Its usual places come before PATH, so that a `git` in some other folder is not run.
import { accessSync, constants, statSync } from "node:fs";
import { pathRules, thisMachine, variableOf, variablesOf, type Machine } from "../../platform.ts";
import { GitError } from "../errors.ts";

const USUAL_PATHS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  linux: ["/usr/bin/git", "/usr/local/bin/git", "/bin/git"],
  darwin: ["/opt/homebrew/bin/git", "/usr/local/bin/git", "/opt/local/bin/git", "/usr/bin/git"],
};

/** Folders of an installation of Git for Windows with the program itself, on ARM64, x64 and 32-bit Windows. */
const WINDOWS_PROGRAMS = ["clangarm64", "mingw64", "mingw32"];

/** Apple's `/usr/bin/git` starts one of these. Where there is none, it shows a dialog that offers to install them, and fails. */
const APPLE_PROGRAMS = [
  "/var/db/xcode_select_link/usr/bin/git",
  "/Library/Developer/CommandLineTools/usr/bin/git",
  "/Applications/Xcode.app/Contents/Developer/usr/bin/git",
];

/** The absolute path of git, or undefined. */
export function findGit(machine: Machine = thisMachine, isThere: (path: string) => boolean = isProgram): string | undefined {
  return gitPaths(machine).find((path) => isThere(path) && !isEmptyStub(path, machine, isThere));
}

/** Where git may be, in the order of the search. */
export function gitPaths(machine: Machine): string[] {
  const { delimiter, isAbsolute, join } = pathRules(machine.platform);
  const folders = (variableOf(machine, "PATH") ?? "").split(delimiter).filter(isAbsolute);
  if (machine.platform === "win32") return [...windowsRoots(machine).flatMap(programsOf), ...folders.flatMap(windowsPaths)];
  const usual = USUAL_PATHS[machine.platform] ?? ["/usr/bin/git", "/usr/local/bin/git"];
  return [...usual, ...folders.map((folder) => join(folder, "git"))];
}

/** Where the installer of Git for Windows puts it, for all users or for one. */
function windowsRoots(machine: Machine): string[] {
  const {
    ProgramW6432,
    ProgramFiles,
    "ProgramFiles(x86)": x86,
    LOCALAPPDATA,
  } = variablesOf(machine, ["ProgramW6432", "ProgramFiles", "ProgramFiles(x86)", "LOCALAPPDATA"]);
  const local = LOCALAPPDATA === undefined ? [] : [`${LOCALAPPDATA}\\Programs`];
  const common = [ProgramW6432 ?? "C:\\Program Files", ProgramFiles, x86 ?? "C:\\Program Files (x86)"];
  const folders = [...common, ...local].filter((folder) => folder !== undefined);
  return [...new Set(folders)].map((folder) => `${folder}\\Git`);
}

/**
 * The programs of an installation. `cmd\git.exe` only starts the one behind it: that costs time, and to end the first does not end the
 * second.
 */
function programsOf(root: string): string[] {
  const { join } = pathRules("win32");
  return [...WINDOWS_PROGRAMS.map((folder) => join(root, folder, "bin", "git.exe")), join(root, "cmd", "git.exe")];
}

/** A folder of PATH; before a program that only starts another comes that other one. */
function windowsPaths(folder: string): string[] {
  const { join, dirname, basename } = pathRules("win32");
  const behind = /^(?:cmd|bin)$/i.test(basename(folder)) ? programsOf(dirname(folder)).slice(0, -1) : [];
  return [...behind, join(folder, "git.exe")];
}

const isEmptyStub = (path: string, { platform }: Machine, isThere: (path: string) => boolean): boolean =>
  platform === "darwin" && path === "/usr/bin/git" && !APPLE_PROGRAMS.some(isThere);

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
