// What the operating system knows of a process. Linux only; elsewhere the lists are empty.
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { isLinux } from "../platform.ts";

/** Absolute paths of the files and directories that a process has open, sorted. */
export function openFiles(pid: number): string[] {
  if (!isLinux) return [];
  return readdirSync(`/proc/${pid}/fd`)
    .flatMap((descriptor) => {
      try {
        return [readlinkSync(`/proc/${pid}/fd/${descriptor}`)];
      } catch {
        return []; // closed in the meantime
      }
    })
    .filter((target) => target.startsWith("/"))
    .toSorted();
}

/** Process ids of the children of a process. */
export function childProcesses(pid: number): number[] {
  if (!isLinux) return [];
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);
}
