// Normalizes the spellings of Windows paths: `C:\a\b` for drives, `\\server\share\a` for shares. Works on text only, so it can be
// tested on any machine. checkPathText checks the names afterwards; the roots keep both spellings of a mapped drive.
import { clip } from "@oarlock/domain-kit";
import { DiskError } from "../errors.ts";
import { isWindows } from "../../platform.ts";

/** The path as the system of this process spells it. */
export const nativeText: (given: string) => string = isWindows ? windowsText : (given) => given;

/** Relative paths stay relative; absolute ones lose prefixes for long paths, and the drive's letter is a capital. */
export function windowsText(given: string): string {
  const text = given.replaceAll("/", "\\");
  const long = /^\\\\\?\\(?:(unc)\\(.*)|([a-z]:(?:\\.*)?))$/is.exec(text);
  if (long !== null) return long[1] === undefined ? drive(long[3] ?? "", given) : share(`\\\\${long[2] ?? ""}`, given);
  // \\.\ and the other prefixes name devices, volumes and objects of the kernel.
  if (/^\\(?:\\[?.]|\?\?)(?:\\|$)/.test(text)) throw new DiskError("denied", `Access denied - not a path of files: ${clip(given)}`);
  if (text.startsWith("\\\\")) return share(text, given);
  if (/^[a-z]:/i.test(text)) return drive(text, given);
  // As shells of other systems write drives: /c/Users.
  const shell = /^\/([a-z])(\/.*)?$/is.exec(given);
  if (shell !== null) return drive(`${shell[1] ?? ""}:${(shell[2] ?? "\\").replaceAll("/", "\\")}`, given);
  if (text.startsWith("\\"))
    throw new DiskError("invalid", `Invalid path: expected a drive such as C:\\ at the start of an absolute path: ${clip(given)}`);
  return text;
}

function drive(text: string, given: string): string {
  // C:name is relative to the working directory of that drive.
  if (text.length > 2 && text[2] !== "\\")
    throw new DiskError("invalid", `Invalid path: expected a backslash after the drive: ${clip(given)}`);
  return `${text.slice(0, 1).toUpperCase()}:${text.slice(2) || "\\"}`;
}

function share(text: string, given: string): string {
  if (!/^\\\\[^\\?.][^\\]*\\[^\\]+/.test(text))
    throw new DiskError("invalid", `Invalid path: expected \\\\server\\share at its start: ${clip(given)}`);
  return text;
}
