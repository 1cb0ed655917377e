// Where the trash is, and whether it may be used.
import { lstatSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { clip, makeFolders, systemErrorCode } from "@oarlock/domain-kit";
import type { Sandbox, FolderHandle } from "../access/sandbox.ts";
import { openDisk } from "../disk.ts";
import { DiskError } from "../errors.ts";
import { isWindows } from "../../platform.ts";
import type { LogEvent } from "../log-event.ts";

/** In the user's folder for the state of programs. */
export function defaultTrashFolder(env: NodeJS.ProcessEnv = process.env): string {
  const { XDG_STATE_HOME, LOCALAPPDATA } = env;
  const below = ["oarlock", "filesystem", "trash"];
  if (XDG_STATE_HOME?.startsWith("/") === true) return join(XDG_STATE_HOME, ...below);
  return LOCALAPPDATA === undefined ? join(homedir(), ".local", "state", ...below) : join(LOCALAPPDATA, ...below);
}

/** The folder of the trash, opened once and checked at each use: what lies in it is reached through the open folder. */
export class TrashFolder {
  readonly path: string;
  readonly event: LogEvent;
  /** By all calls of this process. */
  slotsSinceCleanup = 0;
  #sandbox: Promise<Sandbox | undefined> | undefined;

  constructor(path: string, event: LogEvent) {
    this.path = path;
    this.event = event;
  }

  /** Undefined where the folder cannot be created or is not private. */
  async open(): Promise<FolderHandle | undefined> {
    const sandbox = await (this.#sandbox ??= this.#openFirst());
    try {
      return openRoot(sandbox);
    } catch (error) {
      if (!(error instanceof DiskError)) throw error;
    }
    // The user has removed the folder since: a new one takes its place.
    this.#sandbox = this.#openFirst();
    return openRoot(await this.#sandbox);
  }

  async #openFirst(): Promise<Sandbox | undefined> {
    const sandbox = await openSandbox(this.path);
    if (sandbox === undefined)
      this.event(
        "warning",
        `Trash ${clip(this.path)} cannot be used, so nothing is kept for undo: expected a folder that is private to the user.`,
      );
    return sandbox;
  }
}

function openRoot(sandbox: Sandbox | undefined): FolderHandle | undefined {
  const [root] = sandbox?.roots ?? [];
  return root && sandbox?.folder(root.real);
}

/** Creates the folder where it is missing. Undefined where it cannot be used: not writable, or open to other users. */
async function openSandbox(path: string): Promise<Sandbox | undefined> {
  try {
    makeFolders(path, 0o700);
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return undefined;
  }
  if (!isPrivate(path)) return undefined;
  const disk = await openDisk({ directories: [{ path: realpathSync(path), readOnly: false }], writeGit: true });
  return disk.roots.length === 0 ? undefined : disk.sandbox();
}

function isPrivate(path: string): boolean {
  const stat = lstatSync(path);
  return stat.isDirectory() && (isWindows || (stat.uid === process.getuid?.() && (stat.mode & 0o077) === 0));
}
