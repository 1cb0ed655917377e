// Copies links as links. Windows distinguishes links to files, links to directories and junctions; only the last need no privilege.
import { readlinkSync, statSync, unlinkSync } from "node:fs";
import { win32 } from "node:path";
import { clip, systemErrorCode } from "@oarlock/domain-kit";
import { DiskError } from "../errors.ts";
import { diskCalls, type DiskCalls } from "../write/disk-calls.ts";
import type { Lock, Place } from "../write/name-lock.ts";
import { renameOverEntry } from "./rename.ts";

/** Gives a copy of a link a name. `lock`: of the name, where what has it is replaced; otherwise the name must be free. */
export async function putLink(source: Place, target: Place, lock: Lock | undefined, calls: DiskCalls): Promise<void> {
  const copied = target.parent.at(lock?.temp ?? target.name);
  copyLink(source.parent.at(source.name), copied, source.name, calls);
  if (lock === undefined) return;
  try {
    await renameOverEntry(copied, target, calls);
  } catch (error) {
    unlinkSync(copied);
    throw error;
  }
}

/** `name`: for messages. */
export function copyLink(from: string, to: string, name: string, calls: DiskCalls = diskCalls): void {
  const target = readlinkSync(from);
  if (calls.platform !== "win32") return calls.symlink(target, to);
  try {
    calls.symlink(target, to, linkType(target, typeBehind(from)));
  } catch (error) {
    // ERROR_PRIVILEGE_NOT_HELD, for symbolic links.
    if (systemErrorCode(error) !== "EPERM") throw error;
    throw new DiskError(
      "io",
      `Link not copied: Windows lets only administrators create it (EPERM): ${clip(name)}. Turn on the developer mode of Windows, or leave the link out.`,
    );
  }
}

/**
 * Pure. A junction leads to a directory of this machine by an absolute path, whether the directory exists or not; it has the same meaning as a
 * link to it. Windows does not say which of the two the source is.
 */
export function linkType(target: string, behind: "file" | "directory" | "nothing"): "file" | "dir" | "junction" {
  const isOnShare = /^[\\/]{2}(?![.?][\\/])/.test(target);
  if (behind !== "file" && win32.isAbsolute(target) && !isOnShare) return "junction";
  return behind === "directory" ? "dir" : "file";
}

function typeBehind(link: string): "file" | "directory" | "nothing" {
  try {
    return statSync(link).isDirectory() ? "directory" : "file";
  } catch {
    return "nothing";
  }
}
