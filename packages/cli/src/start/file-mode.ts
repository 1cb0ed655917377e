// File mode: whether other users of the machine can access a file, such as a token file (a warning at the start, a failed check in `doctor`).
import { statSync } from "node:fs";
import { platform } from "../platform.ts";
import { quoted } from "./start-error.ts";

/** Rights of the group and of all others. */
const OTHERS = 0o077;

/** The mode of a file that others can access, in octal. Undefined where only the owner can, and on Windows, whose files have other rights. */
export function exposedMode(file: string): string | undefined {
  const mode = statSync(file).mode & 0o777;
  return platform === "win32" || (mode & OTHERS) === 0 ? undefined : mode.toString(8);
}

/** Undefined where only the owner can read the file. */
export function tokenFileExposure(file: string): { problem: string; remedy: string } | undefined {
  const mode = exposedMode(file);
  if (mode === undefined) return undefined;
  return {
    problem: `Other users of this machine may access ${quoted(file)} (mode ${mode}).`,
    remedy: `Make it private: chmod 600 ${file} – and make a new token, as others may have read this one.`,
  };
}
