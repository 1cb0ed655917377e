// A name that is not there, and one beside it that looks the same: composed or decomposed letters, capitals. To the system they are
// two names, and the wrong one must not be opened for the other; but whoever asks should be told.
import { readdirSync } from "node:fs";
import type { FolderHandle } from "./door.ts";
import { shown } from "./shown.ts";

/** A directory whose list of names is larger is not looked through for a remark. */
const MOST_BYTES = 1024n * 1024n;

/** A remark for the error, or nothing; `shows` says which paths may be told. */
export function nearName(folder: FolderHandle, name: string, shows: (path: string) => boolean): string {
  if (folder.stat.size > MOST_BYTES) return "";
  const wanted = looks(name);
  const near = readdirSync(folder.self).find(
    (other) =>
      other !== name && looks(other) === wanted && shows(folder.path.endsWith("/") ? folder.path + other : `${folder.path}/${other}`),
  );
  if (near === undefined) return "";
  const why = near.normalize("NFC") === name.normalize("NFC") ? "composes its letters differently" : "differs in capitals";
  return `. There is ${JSON.stringify(shown(near))}, which ${why}; take its name from a listing`;
}

const looks = (name: string): string => name.normalize("NFC").toLowerCase();
