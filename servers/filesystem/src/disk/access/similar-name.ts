// A name that is not there, and one beside it that looks the same: composed or decomposed letters, capitals, bytes that are no
// text. To the system they are two names, and the wrong one must not be opened for the other; but whoever asks should be told.
import { isUtf8 } from "node:buffer";
import { readdirSync } from "node:fs";
import { escapeControls } from "@oarlock/domain-kit";
import type { FolderHandle } from "./area.ts";
import { escapeNonUtf8 } from "../text/raw-name.ts";

/** A directory whose list of names is larger is not looked through for a remark. */
const MOST_BYTES = 1024n * 1024n;

/** A remark for the error, or nothing; `shows` says which paths may be told. */
export function similarName(folder: FolderHandle, name: string, shows: (path: string) => boolean): string {
  if (folder.stat.size > MOST_BYTES) return "";
  const isShown = (entry: string) => shows(folder.path.endsWith("/") ? folder.path + entry : `${folder.path}/${entry}`);
  if (isOdd(folder, name) && isShown(name)) return ". A name there is shown like this and is not UTF-8: it cannot be asked for";
  const wanted = looks(name);
  const near = readdirSync(folder.self).find((other) => other !== name && looks(other) === wanted && isShown(other));
  if (near === undefined) return "";
  const why = near.normalize("NFC") === name.normalize("NFC") ? "composes its letters differently" : "differs in capitals";
  return `. There is ${JSON.stringify(escapeControls(near))}, which ${why}; take its name from a listing`;
}

/** As a listing shows it, or as the system's bytes read as text. */
function isOdd(folder: FolderHandle, name: string): boolean {
  if (!/\\x[89A-F]|\ufffd/.test(name)) return false;
  return readdirSync(folder.self, "buffer").some((bytes) => !isUtf8(bytes) && [escapeNonUtf8(bytes), bytes.toString()].includes(name));
}

const looks = (name: string): string => name.normalize("NFC").toLowerCase();
