// Renames that replace a file. Windows refuses to replace, move or remove a file that any program has open, and virus scanners, indexers and
// sync clients open every new file for some milliseconds: there a refused call is tried again for a while, and nowhere else.
import { linkSync, renameSync, statSync } from "node:fs";
import { systemErrorCode } from "../domain-error.ts";
import { platform } from "../platform.ts";

/** The system calls on names whose answers differ between platforms, with the platform that answers. */
export interface NameCalls {
  readonly platform: NodeJS.Platform;
  readonly rename: (from: string, to: string) => void;
  readonly link: (from: string, to: string) => void;
}

export const systemNameCalls: NameCalls = { platform, rename: renameSync, link: linkSync };

const FIRST_PAUSE_MS = 10;
const MAX_WAIT_MS = 2000;

/**
 * Whether Windows may refuse a call only because another program has the file open: a sharing violation is EBUSY, a target that is open and
 * a file that is about to disappear are EPERM (ERROR_ACCESS_DENIED), as libuv translates them.
 */
export const isInUse = (error: unknown, on: NodeJS.Platform = platform): boolean =>
  on === "win32" && ["EPERM", "EACCES", "EBUSY"].includes(systemErrorCode(error) ?? "");

/** Runs an act once; on Windows again, for at most two seconds, while the file may be in use. `isHopeless`: another try cannot succeed. */
export async function retryWhileInUse<T>(act: () => T | Promise<T>, on = platform, isHopeless = (): boolean => false): Promise<T> {
  for (let [pause, left] = [FIRST_PAUSE_MS, MAX_WAIT_MS]; ; pause = Math.min(pause * 2, left)) {
    try {
      return await act();
    } catch (error) {
      if (!isInUse(error, on) || left <= 0 || isHopeless()) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
    left -= pause;
  }
}

/**
 * Renames, and replaces a file that has the name. Throws what the system reports.
 * @param mayReplace Called before each try, because the program that has the file open may change it. False where it has said no.
 */
export async function renameOver(from: string, to: string, calls = systemNameCalls, mayReplace = (): boolean => true): Promise<boolean> {
  const rename = (): boolean => {
    if (!mayReplace()) return false;
    calls.rename(from, to);
    return true;
  };
  return await retryWhileInUse(rename, calls.platform, () => isIrreplaceable(to));
}

// MoveFileEx never replaces a directory or a link to one, nor a file with the attribute "read-only", which Node shows as a mode without write permission.
function isIrreplaceable(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat !== undefined && (stat.isDirectory() || (stat.mode & 0o222) === 0);
}
