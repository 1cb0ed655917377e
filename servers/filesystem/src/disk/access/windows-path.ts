// The spellings that Windows paths come in, brought to one: `C:\a\b` for drives, `\\server\share\a` for shares. Text alone, no file
// system, so that it can be tried on any machine. Names are judged afterwards (checkPathText); what a mapped drive leads to is for
// the roots to say, which keep both of their spellings.
import { clip } from "@oarlock/domain-kit";
import { DiskError } from "../errors.ts";

/** The path as the system of this process spells it. */
export const nativeText: (given: string) => string = process.platform === "win32" ? windowsText : (given) => given;

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
    throw new DiskError("invalid", `Expected a drive, such as C:\\, at the start of an absolute path: ${clip(given)}`);
  return text;
}

function drive(text: string, given: string): string {
  // C:name is meant from the working directory of that drive, which is nobody's business.
  if (text.length > 2 && text[2] !== "\\") throw new DiskError("invalid", `Expected a backslash after the drive: ${clip(given)}`);
  return `${text.slice(0, 1).toUpperCase()}:${text.slice(2) || "\\"}`;
}

function share(text: string, given: string): string {
  if (!/^\\\\[^\\?.][^\\]*\\[^\\]+/.test(text))
    throw new DiskError("invalid", `Expected \\\\server\\share at the start of the path: ${clip(given)}`);
  return text;
}
