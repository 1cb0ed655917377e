// Finds a name that looks like a missing one: composed or decomposed letters, other capitals, bytes that are not UTF-8, or a few other
// letters. For the system they are two names, so the similar one is not opened; but the error mentions it.
import { isUtf8 } from "node:buffer";
import { readdirSync, readlinkSync } from "node:fs";
import { resolve } from "node:path";
import { clip, escapeControls, nearestNames } from "@oarlock/domain-kit";
import { DiskError } from "../errors.ts";
import type { Sandbox, Entry, FolderHandle } from "./sandbox.ts";
import { escapeNonUtf8 } from "../text/raw-name.ts";
import { joinPath } from "./path-syntax.ts";

/** A directory with a longer list of names is not searched. */
const MAX_LIST_BYTES = 1024n * 1024n;

/** A sentence for the error, or nothing. `shows`: which paths may be mentioned. */
export function similarName(folder: FolderHandle, name: string, shows: (path: string) => boolean): string {
  if (folder.stat.size > MAX_LIST_BYTES) return "";
  const target = targetOf(folder, name);
  if (target !== undefined) return shows(resolve(folder.path, target)) ? `. It is a link to ${clip(target)}, which does not exist` : "";
  const isShown = (entry: string) => shows(joinPath(folder.path, entry));
  if (isOdd(folder, name) && isShown(name)) return ". A name there is shown like this and is not UTF-8: it cannot be asked for";
  const wanted = looks(name);
  const names = readdirSync(folder.self);
  const near = names.find((other) => other !== name && looks(other) === wanted && isShown(other));
  if (near === undefined) return names.includes(name) ? "" : misspelled(name, names.filter(isShown));
  const why = near.normalize("NFC") === name.normalize("NFC") ? "composes its letters differently" : "differs in capitals";
  return `. There is ${JSON.stringify(escapeControls(near))}, which ${why}; take its name from a listing`;
}

/** Of a link whose end is missing. */
function targetOf(folder: FolderHandle, name: string): string | undefined {
  try {
    return readlinkSync(folder.at(name));
  } catch {
    return undefined; // not a link, or nothing
  }
}

/** The error for an entry that a change needs and that does not exist. */
export function missingEntry(sandbox: Pick<Sandbox, "shows">, { parent, name }: Entry, given: string): DiskError {
  return new DiskError("not-found", `No such file or directory: ${clip(given)}${similarName(parent, name, sandbox.shows)}`);
}

function misspelled(name: string, names: readonly string[]): string {
  const [nearest] = nearestNames(name, names, 1);
  return nearest === undefined ? "" : `. Did you mean ${JSON.stringify(escapeControls(nearest))}?`;
}

/** Whether the name is that of an entry that is not UTF-8, as a listing shows it or as Node decodes it. */
function isOdd(folder: FolderHandle, name: string): boolean {
  if (!/\\x[89A-F]|\ufffd/.test(name)) return false;
  return readdirSync(folder.self, "buffer").some((bytes) => !isUtf8(bytes) && [escapeNonUtf8(bytes), bytes.toString()].includes(name));
}

const looks = (name: string): string => name.normalize("NFC").toLowerCase();
