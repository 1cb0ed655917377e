/** Every operation on one path, for rules that hold for all of them. */
import type { Area } from "../../../src/disk/access/area.ts";
import { copy } from "../../../src/disk/transfer/copy.ts";
import { deletePath, planDeletion } from "../../../src/disk/transfer/delete.ts";
import { editText } from "../../../src/disk/edit/file-editor.ts";
import { info } from "../../../src/disk/read/file-info.ts";
import { makeFolder } from "../../../src/disk/write/directory-maker.ts";
import { move } from "../../../src/disk/transfer/move.ts";
import { readBytes } from "../../../src/disk/read/byte-reader.ts";
import { readText } from "../../../src/disk/read/text-reader.ts";
import { writeText } from "../../../src/disk/write/text-writer.ts";

const edits = [{ oldText: "canary", newText: "x" }];

/** Acts that look at an existing thing. */
export const looks = (area: Area, path: string): (() => unknown)[] => [
  () => readText(area, path),
  () => readText(area, path, { head: 1 }),
  () => readText(area, path, { tail: 1 }),
  () => readBytes(area, path, { maxBytes: 1000 }),
  () => info(area, path),
  () => {
    using folder = area.folder(path);
    return folder.path;
  },
];

/** Acts that change an existing thing, or make a new one. */
export const changes = (area: Area, path: string): (() => unknown)[] => [
  () => writeText(area, path, "x"),
  () => writeText(area, path, "x", { mode: "append" }),
  () => writeText(area, path, "x", { mode: "create" }),
  () => writeText(area, path, "x", { createDirectories: true }),
  () => editText(area, path, edits),
  () => editText(area, path, edits, { dryRun: true }),
  () => makeFolder(area, `${path}/new`),
  () => move(area, path, "moved.txt"),
  () => move(area, "plain.txt", path, { overwrite: true }),
  () => copy(area, "plain.txt", path, { overwrite: true }),
  () => copy(area, path, "copied.txt", { recursive: true }),
  () => planDeletion(area, path, { recursive: true, maxBytes: 1000 }),
  () => deletePath(area, path, { recursive: true }),
];

export const allActs = (area: Area, path: string): (() => unknown)[] => [...looks(area, path), ...changes(area, path)];
