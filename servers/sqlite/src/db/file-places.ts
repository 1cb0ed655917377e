// Files in the folder for files, as the database process opens them: from the folder that the server has checked, and through no link.
import type { BigIntStats } from "node:fs";
import { createNewFile, HeldFolder, systemErrorCode } from "@oarlock/domain-kit";
import { DbError, refusal } from "./errors.ts";
import type { FilePlace } from "./protocol/file-messages.ts";

/** Opens a regular file for reading. The caller closes the descriptor. */
export const openPlace = ({ folder, name }: FilePlace, check: (stat: BigIntStats) => void): number =>
  inFolder({ folder, name }, (open) => open.openFile(name, check));

/** Creates a file and opens it for writing. The caller closes the descriptor. */
export const createPlace = ({ folder, name }: FilePlace): number =>
  inFolder({ folder, name }, (open) => createNewFile(open.at(name), 0o644));

function inFolder<T>({ folder }: FilePlace, act: (open: HeldFolder) => T): T {
  try {
    using open = HeldFolder.reopen(folder);
    return act(open);
  } catch (error) {
    if (!["ENOENT", "ENOTDIR", "ELOOP", "EINVAL", "conflict"].includes(systemErrorCode(error) ?? "")) throw error;
    if (error instanceof DbError) throw error;
    throw refusal("The file or its folder was just removed or replaced by another program. Nothing was read or written. Try again.");
  }
}
