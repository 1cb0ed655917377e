// Says whether others can read a token file: a warning at the start, and a failed check in `doctor`.
import { statSync } from "node:fs";
import { quoted } from "./start-error.ts";

/** Rights of the group and of all others. */
const OTHERS = 0o077;

/** Undefined where only the owner may read the file, and on Windows, whose files have other rights. */
export function openTokenFile(file: string): { problem: string; remedy: string } | undefined {
  const mode = statSync(file).mode & 0o777;
  if (process.platform === "win32" || (mode & OTHERS) === 0) return undefined;
  return {
    problem: `Other users of this machine may access ${quoted(file)} (mode ${mode.toString(8)}).`,
    remedy: `Make it private: chmod 600 ${file} – and make a new token, as others may have read this one.`,
  };
}
