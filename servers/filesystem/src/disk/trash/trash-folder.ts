// Where the trash is, and whether it may be used.
import { lstatSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { makeFolders, systemErrorCode } from "@oarlock/domain-kit";
import type { Area } from "../access/area.ts";
import { openDisk } from "../disk.ts";

/** In the user's folder for the state of programs. */
export function defaultTrashFolder(env: NodeJS.ProcessEnv = process.env): string {
  const { XDG_STATE_HOME, LOCALAPPDATA } = env;
  const below = ["oarlock", "filesystem", "trash"];
  if (XDG_STATE_HOME?.startsWith("/") === true) return join(XDG_STATE_HOME, ...below);
  return LOCALAPPDATA === undefined ? join(homedir(), ".local", "state", ...below) : join(LOCALAPPDATA, ...below);
}

/** Opens the folder, and creates it where it is missing. Undefined where it cannot be used: not writable, or open to other users. */
export async function openTrashFolder(path: string): Promise<Area | undefined> {
  try {
    makeFolders(path, 0o700);
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return undefined;
  }
  if (!isPrivate(path)) return undefined;
  const disk = await openDisk({ directories: [{ path: realpathSync(path), readOnly: false }], writeGit: true });
  return disk.roots.length === 0 ? undefined : disk.area();
}

function isPrivate(path: string): boolean {
  const stat = lstatSync(path);
  return stat.isDirectory() && (process.platform === "win32" || (stat.uid === process.getuid?.() && (stat.mode & 0o077) === 0));
}
