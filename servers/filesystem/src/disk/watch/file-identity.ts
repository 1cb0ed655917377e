// The identity of a file or folder at one moment, as a short text to compare with a later one. An object outside, or a hidden one, has the
// identity of a missing one, so changes there are never seen. The identity of a folder covers the names that are visible in it.
import { systemErrorCode } from "@oarlock/domain-kit";
import type { Sandbox, FolderHandle } from "../access/sandbox.ts";
import { withSeparator } from "../access/path-syntax.ts";
import { readEntries, typeOf } from "../tree/directory-entries.ts";
import { DiskError } from "../errors.ts";

export interface FileIdentity {
  /** The real path; undefined when nothing is visible there. */
  readonly real: string | undefined;
  readonly folder: boolean;
  /** From the stat: equal as long as nothing has changed. */
  readonly stamp: string;
  /** The visible content; for a file the same as the stamp. */
  readonly content: string;
  /** The number of entries of a folder. */
  readonly entries: number;
}

export const NOTHING: FileIdentity = { real: undefined, folder: false, stamp: "", content: "", entries: 0 };

/** Identifies the object at a path. `before` saves reading an unchanged folder again. Undefined: not readable at the moment, try again later. */
export async function identify(sandbox: Sandbox, path: string, before?: FileIdentity): Promise<FileIdentity | undefined> {
  try {
    const { path: real, stat } = sandbox.look(path);
    const stamp = [real, stat.dev, stat.ino, stat.mode, stat.size, stat.mtimeNs, stat.ctimeNs].join(":");
    if (before?.stamp === stamp) return before;
    if (!stat.isDirectory()) return { real, folder: false, stamp, content: stamp, entries: 0 };
    using folder = sandbox.folder(path);
    return { real, folder: true, stamp, ...(await namesIn(sandbox, folder)) };
  } catch (error) {
    if (!(error instanceof DiskError)) return undefined;
    return error.code === "io" ? undefined : NOTHING;
  }
}

async function namesIn(sandbox: Sandbox, folder: FolderHandle): Promise<Pick<FileIdentity, "content" | "entries">> {
  const id = `${folder.stat.dev}:${folder.stat.ino}`;
  const prefix = withSeparator(folder.path);
  try {
    const { entries } = await readEntries(folder);
    const visible = entries.filter((entry) => sandbox.shows(prefix + entry.name));
    const names = visible.map((entry) => `${typeOf(entry)}/${entry.name}/`).join("");
    return { content: `${id}:${digest(names)}`, entries: entries.length };
  } catch (error) {
    // It may become readable later, which is a change.
    if (!["EACCES", "EPERM"].includes(systemErrorCode(error) ?? "")) throw error;
    return { content: `${id}:closed`, entries: 0 };
  }
}

// A hash of 64 bits, so that a million names need not be kept. It protects nothing, and node:crypto takes 4 ms to load.
function digest(text: string): string {
  let a = 0x811c9dc5;
  let b = 0x9747b28c;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 0x01000193);
    b = Math.imul(b ^ unit, 0x5bd1e995) ^ (b >>> 15);
  }
  return `${text.length}:${(a >>> 0).toString(36)}:${(b >>> 0).toString(36)}`;
}
