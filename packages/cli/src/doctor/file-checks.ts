// Checks of files and folders: what they are, and which rights this user has on them.
import { accessSync, constants, readdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { missingFolder, systemErrorCode } from "@oarlock/domain-kit";
import { platform } from "../platform.ts";
import { quoted } from "../start/start-error.ts";
import { failed, passed, type Check } from "./check.ts";

/** Whether a folder can be listed and, with `write`, written to. A missing one is an error, unless it `mayBeMissing` and could be created. */
export function checkFolder(name: string, path: string, { write = false, mayBeMissing = false } = {}): Check {
  try {
    if (mayBeMissing && statSync(path, { throwIfNoEntry: false }) === undefined) return checkCreation(name, path);
    if (!statSync(path).isDirectory()) return failed(name, `${quoted(path)} is a file, not a folder.`, "Name the folder that it is in.");
    accessSync(path, constants.R_OK | constants.X_OK);
    readdirSync(path);
  } catch (error) {
    return unreadable(name, path, error);
  }
  if (write && !isAllowed(path, constants.W_OK))
    return failed(
      name,
      `${quoted(path)} may be read but not written by this user.`,
      `Give this user the right to write, or serve it read-only.`,
    );
  return passed(name, `${quoted(path)} can be read${write ? " and written" : ""}.`);
}

/** Whether a file can be read and, with `write`, written. A missing file is an error, unless it `mayBeMissing` and could be created. */
export function checkFile(name: string, path: string, { write = false, mayBeMissing = false } = {}): Check {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return mayBeMissing ? checkCreation(name, path) : missing(name, path);
    if (stat.isDirectory()) return failed(name, `${quoted(path)} is a directory, not a file.`, "Name a file in it.");
    if (!stat.isFile()) return failed(name, `${quoted(path)} is not an ordinary file.`, "Name an ordinary file.");
    accessSync(path, constants.R_OK);
  } catch (error) {
    return unreadable(name, path, error);
  }
  if (write && !isAllowed(path, constants.W_OK))
    return failed(
      name,
      `${quoted(path)} may be read but not written by this user.`,
      `Give this user the right to write (chmod u+w), or serve it read-only.`,
    );
  if (write && !isAllowed(dirname(path), constants.W_OK))
    return failed(
      name,
      `The folder of ${quoted(path)} may not be written by this user: files beside it cannot be created.`,
      "Give this user the right to write to the folder, or move the file to another one.",
    );
  return passed(name, `${quoted(path)} can be read${write ? " and written" : ""}.`);
}

/** Whether a file that does not exist could be created: the nearest folder that exists has to be writable. */
function checkCreation(name: string, path: string): Check {
  let folder = dirname(path);
  while (statSync(folder, { throwIfNoEntry: false }) === undefined && dirname(folder) !== folder) folder = dirname(folder);
  if (!statSync(folder).isDirectory())
    return failed(name, `${quoted(path)} cannot be created: ${quoted(folder)} is not a folder.`, "Name a file in a folder.");
  if (isAllowed(folder, constants.W_OK | constants.X_OK)) return passed(name, `${quoted(path)} does not exist yet and can be created.`);
  return failed(
    name,
    `${quoted(path)} cannot be created: this user may not write to ${quoted(folder)}.`,
    "Give this user the right to write to that folder, or name a file in another one.",
  );
}

function missing(name: string, path: string): Check {
  const folder = missingFolder(path);
  if (folder === undefined) return failed(name, `${quoted(path)} does not exist.`, "Correct the path, or create it.");
  return failed(
    name,
    `${quoted(path)} does not exist: the folder ${quoted(folder)} is missing.`,
    `Create the folder ${quoted(folder)}, or correct the path.`,
  );
}

function unreadable(name: string, path: string, error: unknown): Check {
  const code = systemErrorCode(error);
  if (code === "ENOENT" || code === "ENOTDIR") return missing(name, path);
  if (code === "EACCES" || code === "EPERM")
    return failed(name, `${quoted(path)} may not be read by this user: permission denied.`, readRemedy(code));
  if (code === "ELOOP") return failed(name, `${quoted(path)} is a symbolic link in a circle.`, "Name what the link should point to.");
  return failed(name, `${quoted(path)} cannot be read (${code ?? "unknown error"}).`, "Check the disk, or name another path.");
}

/** macOS refuses Desktop, Documents, Downloads and iCloud with EPERM to programs that the user has not admitted, whatever the mode. */
export const readRemedy = (code: string, on: NodeJS.Platform = platform): string =>
  on === "darwin" && code === "EPERM"
    ? "Give the host access to it in System Settings > Privacy & Security > Files and Folders, or name another one."
    : "Give this user the right to read it and its parent folders (chmod), or name another one.";

function isAllowed(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}
