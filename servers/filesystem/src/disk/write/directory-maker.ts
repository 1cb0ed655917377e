// Creates a directory with all missing ones above it. All names are checked before the first directory is created, and created directories
// are removed again when a later step fails.
import { mkdirSync, rmdirSync } from "node:fs";
import { clip, reportChange, systemErrorCode } from "@oarlock/domain-kit";
import type { Sandbox, FolderHandle } from "../access/sandbox.ts";
import { DiskError } from "../errors.ts";
import { checkPathText, pathBelow, splitLast } from "../access/path-syntax.ts";
import { changeError } from "../rights/write-access.ts";
import { syncFolder } from "./atomic-replace.ts";

export interface FolderMade {
  readonly path: string;
  readonly created: boolean;
}

/** Creates the directory unless it exists. */
export async function makeFolder(sandbox: Sandbox, path: string): Promise<FolderMade> {
  const { folder, created } = await makeAll(sandbox, path, path, [], async () => {});
  return { path: folder, created };
}

/** Creates the directories above a path, then runs `act`. When `act` fails they are removed again. */
export async function withParents<T>(sandbox: Sandbox, path: string, act: () => Promise<T>): Promise<T> {
  return (await withNewParents(sandbox, path, act)).result;
}

/** The same. `newParent`: the directory right above, as `path` spells it, where it was created. */
export async function withNewParents<T>(sandbox: Sandbox, path: string, act: () => Promise<T>): Promise<{ result: T; newParent?: string }> {
  const { folder, name } = splitLast(path);
  if (name === "" || folder === "") return { result: await act() };
  const { result, created } = await makeAll(sandbox, folder, path, [name], act);
  return { result, ...(created && { newParent: folder.replace(/(?<=.)[\\/]+$/, "") }) };
}

/** The real path of a name, whether or not it and the directories above it exist. A link at this name is not followed. */
export function placeOf(sandbox: Sandbox, path: string): string {
  checkPathText(path);
  const { folder, name } = splitLast(path);
  const { start, missing } = deepest(sandbox, folder, path);
  using top = start;
  return pathBelow(top.path, [...missing, ...(name === "" ? [] : [name])].join("/"));
}

/** `given`: the path of the caller, for messages. `leaf`: the name that `act` will create. */
async function makeAll<T>(
  sandbox: Sandbox,
  path: string,
  given: string,
  leaf: readonly string[],
  act: () => Promise<T>,
): Promise<{ folder: string; created: boolean; result: T }> {
  // Here, so that the message has the complete path of the caller.
  checkPathText(given);
  const { start, missing } = deepest(sandbox, path, given);
  using top = start;
  if (missing.length === 0) return { folder: top.path, created: false, result: await act() };
  sandbox.mustBeWritable(pathBelow(top.path, [...missing, ...leaf].join("/")));
  if ([...missing, ...leaf].some((name) => Buffer.byteLength(name) > 255)) {
    throw new DiskError("invalid", `Path has a name that is too long: ${clip(given)}`);
  }
  const created = pathBelow(top.path, missing.join("/"));
  reportChange([created]);
  const result = await makeChain(top, missing, given, act);
  return { folder: created, created: true, result };
}

/** Creates nested directories and runs `act`; leaves none of them when it fails. */
async function makeChain<T>(parent: FolderHandle, [name, ...rest]: readonly string[], given: string, act: () => Promise<T>): Promise<T> {
  if (name === undefined) return act();
  const isNew = make(parent, name, given);
  try {
    using child = parent.child(name);
    if (child === undefined) throw new DiskError("exists", `A part of the path exists and is not a directory: ${clip(given)}`);
    const result = await makeChain(child, rest, given, act);
    if (isNew) await syncFolder(parent);
    return result;
  } catch (error) {
    if (isNew) unmake(parent, name);
    throw error;
  }
}

/** False when another program has created it in the meantime. */
function make(parent: FolderHandle, name: string, given: string): boolean {
  try {
    mkdirSync(parent.at(name));
    return true;
  } catch (error) {
    if (systemErrorCode(error) === "EEXIST") return false;
    throw changeError(error, given, parent);
  }
}

function unmake(parent: FolderHandle, name: string): void {
  try {
    rmdirSync(parent.at(name));
  } catch {
    // Another program has put something there.
  }
}

interface Deepest {
  readonly start: FolderHandle;
  /** The names that do not exist below it. */
  readonly missing: readonly string[];
}

function deepest(sandbox: Sandbox, path: string, given: string): Deepest {
  const missing: string[] = [];
  for (let text = path; ;) {
    try {
      return { start: sandbox.folder(text === "" ? "." : text, { inStoredNames: true }), missing };
    } catch (error) {
      if (!(error instanceof DiskError) || text === "") throw error;
      if (error.code === "denied") throw sandbox.denied(given);
      if (error.code !== "not-found") throw error;
    }
    const { folder, name } = splitLast(text);
    if (name === "" && /\.\.[\\/]*$/.test(text)) {
      throw new DiskError("invalid", `Cannot create a directory above one that does not exist: ${clip(given)}`);
    }
    if (name !== "") missing.unshift(name);
    text = folder;
  }
}
