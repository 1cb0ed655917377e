// Names that must be free: a file gets one in a way that fails where the name is taken, even if it was free a moment ago.
import { closeSync, unlinkSync } from "node:fs";
import { systemErrorCode } from "../domain-error.ts";
import { createNewFile } from "./new-file.ts";
import { renameOver, retryWhileInUse, systemNameCalls, type NameCalls } from "./rename-over.ts";

/**
 * What the system reports where hard links are not possible or not allowed. On Windows CreateHardLink on FAT and exFAT is
 * ERROR_INVALID_FUNCTION, which libuv translates to EISDIR; network drives answer EINVAL or an error that libuv does not know.
 */
const NO_LINKS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EACCES", "EISDIR", "EINVAL", "UNKNOWN"]);

/** Whether the error says that hard links are not possible or not allowed here. */
export const isLinkUnsupported = (error: unknown): boolean => NO_LINKS.has(systemErrorCode(error) ?? "");

/**
 * Gives a file a name that must be free. Throws EEXIST where it is not, and whatever else the system reports.
 * @returns `linked` where the file has its former name too, `renamed` where it has lost it.
 */
export async function takeFreeName(from: string, to: string, calls: NameCalls = systemNameCalls): Promise<"linked" | "renamed"> {
  try {
    // link(2) fails where rename(2) would replace.
    calls.link(from, to);
    return "linked";
  } catch (error) {
    if (!isLinkUnsupported(error)) throw error;
  }
  await renameToFreeName(from, to, calls);
  return "renamed";
}

/** Takes the name with an empty file, which the renamed one replaces. Throws EEXIST where it is taken. */
export async function renameToFreeName(from: string, to: string, calls: NameCalls = systemNameCalls): Promise<void> {
  closeSync(createNewFile(to, 0o600));
  try {
    await renameOver(from, to, calls);
  } catch (error) {
    await retryWhileInUse(() => unlinkSync(to), calls.platform);
    throw error;
  }
}
