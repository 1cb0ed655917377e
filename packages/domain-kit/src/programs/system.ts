// System: what starting a program depends on. Tests pass the answers of another operating system.
import { accessSync, constants, statSync } from "node:fs";
import { posix, win32, type PlatformPath } from "node:path";

export type Variables = Readonly<Record<string, string | undefined>>;

export interface ProgramSystem {
  readonly platform: NodeJS.Platform;
  /** The environment of the program. */
  readonly env: Variables;
  /** The working directory of the program. Default: that of this process. */
  readonly cwd?: string | undefined;
  /** Whether a path is a file that can be run. Default: asks the file system. */
  readonly isProgram?: (path: string) => boolean;
}

export const pathRulesOf = (platform: NodeJS.Platform): PlatformPath => (platform === "win32" ? win32 : posix);

/** The value of a variable. Windows ignores the case of its name: the one that sorts first counts, as when Node starts a program. */
export function variableOf(name: string, { platform, env }: Pick<ProgramSystem, "platform" | "env">): string | undefined {
  if (platform !== "win32") return env[name];
  const wanted = name.toUpperCase();
  const found = Object.keys(env)
    .sort()
    .find((key) => key.toUpperCase() === wanted && env[key] !== undefined);
  return found === undefined ? undefined : env[found];
}

/** `base` with the variables of `own`, where undefined removes one. On Windows `PATH` replaces a variable `Path`. */
export function mergeVariables(base: Variables, own: Variables, platform: NodeJS.Platform): Record<string, string | undefined> {
  if (platform !== "win32") return { ...base, ...own };
  const replaced = new Set(Object.keys(own).map((name) => name.toUpperCase()));
  return { ...Object.fromEntries(Object.entries(base).filter(([name]) => !replaced.has(name.toUpperCase()))), ...own };
}

/** A program of Windows itself by its full path: the name alone could be found in the working directory. */
export const windowsProgram = (name: string, env: Variables): string =>
  win32.join(variableOf("SystemRoot", { platform: "win32", env }) ?? String.raw`C:\Windows`, "System32", name);

export function isExecutableFile(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
