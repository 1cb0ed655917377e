/** Finds product code that creates, replaces or moves files in another way than with the helpers of domain-kit. */
import type { Sources } from "../../src/sources.ts";
import { callsOf } from "./calls.ts";

/** Functions of node:fs that create a file at a path, follow a link there, or give a file another name. */
const CREATING = new Set(
  "appendFile copyFile cp createWriteStream link mkdtemp rename truncate writeFile".split(" ").flatMap((name) => [name, `${name}Sync`]),
);
const OPENING = new Set(["open", "openSync"]);
/** Flags that read only, in every spelling of the sources. */
const READING = /^(?:"rs?"|[^"]*\bO_(?:RDONLY|PATH)\b(?!.*\bO_(?:CREAT|TRUNC|WRONLY|RDWR|APPEND)\b).*)$/s;

/** Files that may, and why. */
export const ALLOWED_FILES: Readonly<Record<string, string>> = {
  "packages/domain-kit/src/files/new-file.ts": "the helper",
  "packages/domain-kit/src/files/temporary-file.ts": "the helper",
  "packages/domain-kit/src/files/regular-file.ts": "the helper for files that may exist: through no link",
  "packages/domain-kit/src/files/linux-handle.ts": "opens what is held already, with the flags of the caller",
  "packages/domain-kit/src/files/portable-handle.ts": "opens what is held already, with the flags of the caller",
  "packages/cli/src/operations/audit-file.ts": "appends to the operator's file, and renames that when it is full",
  "packages/client/src/oauth/file-lock.ts": "creates the lock exclusively",
  "packages/create-server/src/write-folder.ts": "creates files exclusively in a new folder",
  "servers/filesystem/src/disk/rights/in-place.ts": "writes a file whose name cannot be replaced, within a held folder and through no link",
  "servers/filesystem/src/disk/rights/write-access.ts":
    "tries the right to write, within a held folder and through no link; creates nothing",
  "servers/filesystem/src/disk/transfer/copy.ts": "renames within held folders",
  "servers/filesystem/src/disk/transfer/device-move.ts": "renames within held folders",
  "servers/filesystem/src/disk/transfer/file-copy.ts": "copies into a file that is open already",
  "servers/filesystem/src/disk/transfer/rename.ts": "renames within held folders, for move_file",
  "servers/filesystem/src/disk/trash/kept-file.ts": "links a file to a free name, between held folders",
  "servers/filesystem/src/disk/trash/trash.ts": "links a kept file to a name that is free",
  "servers/filesystem/src/disk/trash/slots.ts": "writes notes into folders that it has just made, of this user's own",
  "servers/filesystem/src/disk/write/atomic-replace.ts": "renames within a held folder, under a lock that names the temporary file",
  "servers/filesystem/src/disk/write/lock-mark.ts": "creates a mark exclusively in a folder of this user's own",
  "servers/git/src/repo/process/temporary-index.ts": "copies the index into a new folder of this user's own",
  "servers/memory/src/addons/notes/note-folder.ts": "moves notes between held folders, to the trash",
};

/** One line for each call that none of the reasons covers. */
export const otherWaysToCreate = (sources: Sources): string[] =>
  Object.entries(sources)
    .filter(([path]) => !(path in ALLOWED_FILES))
    .flatMap(([path, text]) =>
      callsOf(text, /^(?:node:)?fs(?:\/promises)?$/)
        .filter(({ name, args }) => CREATING.has(name) || (OPENING.has(name) && args[1] !== undefined && !READING.test(args[1])))
        .map(({ name, args }) => `${path}: ${name}(${args.join(", ")})`),
    );

/** Reasons for files that have no such call any more. */
export const staleReasons = (sources: Sources): string[] => Object.keys(ALLOWED_FILES).filter((path) => !(path in sources));
