// What differs between operating systems. This is the only file of the server that reads `process.platform`; functions elsewhere take the
// machine, its platform or its path rules as a parameter, so that tests get the answer of each platform on every machine.
import { statSync } from "node:fs";
import { homedir } from "node:os";
import { posix, win32, type PlatformPath } from "node:path";

export type HostEnvironment = Readonly<Record<string, string | undefined>>;

/** The machine that git runs on, as far as its environment depends on it. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  /** The variables of the server. */
  readonly env: HostEnvironment;
}

export const platform: NodeJS.Platform = process.platform;

export const thisMachine: Machine = { platform, env: process.env };

export const isWindows = platform === "win32";

/** The path rules of a platform. */
export const pathRules = (of: NodeJS.Platform = platform): PlatformPath => (of === "win32" ? win32 : posix);

/** The null device as git knows it on every platform. Git for Windows refuses the names that Windows has for it. */
export const NULL_FILE = "/dev/null";

/** Windows compares the names of variables without their case; a copy of the environment, as an object, does not. */
export function variableOf({ platform: of, env }: Machine, name: string): string | undefined {
  if (of !== "win32" || env[name] !== undefined) return env[name];
  const found = Object.keys(env).find((key) => key.toLowerCase() === name.toLowerCase());
  return found === undefined ? undefined : env[found];
}

/** Those of the variables that are set. */
export const variablesOf = (machine: Machine, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = variableOf(machine, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );

const systemRoot = (machine: Machine): string => variableOf(machine, "SystemRoot") ?? "C:\\Windows";

/** The folder of programs that come with Windows. */
export const system32 = (machine: Machine): string => win32.join(systemRoot(machine), "System32");

/** Folders with the programs of the system, as a value of PATH. */
export const systemPath = (machine: Machine): string =>
  machine.platform === "win32" ? system32(machine) : "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin";

/**
 * A folder in which there never is anything. On Windows `/dev/null/x` is an ordinary path of the current drive, where another user may
 * create it: a folder that only administrators could create is named there.
 */
export const emptyFolder = (machine: Machine): string => (machine.platform === "win32" ? `${system32(machine)}\\oarlock-none` : NULL_FILE);

/** Variables without which a program does not work there: Windows finds its sockets by the first, git its temporary files by the others. */
export const systemVariables = (machine: Machine): Record<string, string> =>
  machine.platform === "win32" ? { SystemRoot: systemRoot(machine), ...variablesOf(machine, ["TEMP", "TMP"]) } : {};

/** Where programs of Windows look for the user's and the machine's data, and how they start other programs. */
export const PROGRAM_VARIABLES: readonly string[] = [
  "USERPROFILE",
  "HOMEDRIVE",
  "HOMEPATH",
  "USERNAME",
  "APPDATA",
  "LOCALAPPDATA",
  "ProgramData",
  "ProgramFiles",
  "ComSpec",
  "PATHEXT",
];

/** The variables that tell git, and programs of the user, where the user's files are. */
export function userVariables(machine: Machine): Record<string, string> {
  const home = { HOME: homeFolder(machine), XDG_CONFIG_HOME: variableOf(machine, "XDG_CONFIG_HOME") ?? "" };
  return machine.platform === "win32" ? { ...variablesOf(machine, PROGRAM_VARIABLES), ...home } : home;
}

/** On Windows as Git for Windows finds it: the home share where it is connected, then the profile (compat/mingw.c). */
export function homeFolder(machine: Machine, isFolder: (path: string) => boolean = isDirectory): string {
  const home = variableOf(machine, "HOME");
  if (home !== undefined || machine.platform !== "win32") return home ?? homedir();
  const { HOMEDRIVE, HOMEPATH } = variablesOf(machine, ["HOMEDRIVE", "HOMEPATH"]);
  const share = HOMEDRIVE === undefined || HOMEPATH === undefined ? undefined : HOMEDRIVE + HOMEPATH;
  const isUsable = share !== undefined && !share.toLowerCase().startsWith(system32(machine).toLowerCase()) && isFolder(share);
  return isUsable ? share : (variableOf(machine, "USERPROFILE") ?? homedir());
}

const isDirectory = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
