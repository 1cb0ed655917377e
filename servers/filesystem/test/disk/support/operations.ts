/** Every operation on one path, for rules that hold for all of them. */
import type { Sandbox } from "../../../src/disk/access/sandbox.ts";
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
export const looks = (sandbox: Sandbox, path: string): (() => unknown)[] => [
  () => readText(sandbox, path),
  () => readText(sandbox, path, { head: 1 }),
  () => readText(sandbox, path, { tail: 1 }),
  () => readBytes(sandbox, path, { maxBytes: 1000 }),
  () => info(sandbox, path),
  () => {
    using folder = sandbox.folder(path);
    return folder.path;
  },
];

/** Acts that change an existing thing, or make a new one. */
export const changes = (sandbox: Sandbox, path: string): (() => unknown)[] => [
  () => writeText(sandbox, path, "x"),
  () => writeText(sandbox, path, "x", { mode: "append" }),
  () => writeText(sandbox, path, "x", { mode: "create" }),
  () => writeText(sandbox, path, "x", { createDirectories: true }),
  () => editText(sandbox, path, edits),
  () => editText(sandbox, path, edits, { dryRun: true }),
  () => makeFolder(sandbox, `${path}/new`),
  () => move(sandbox, path, "moved.txt"),
  () => move(sandbox, "plain.txt", path, { overwrite: true }),
  () => copy(sandbox, "plain.txt", path, { overwrite: true }),
  () => copy(sandbox, path, "copied.txt", { recursive: true }),
  () => planDeletion(sandbox, path, { recursive: true, maxBytes: 1000 }),
  () => deletePath(sandbox, path, { recursive: true }),
];

export const allActs = (sandbox: Sandbox, path: string): (() => unknown)[] => [...looks(sandbox, path), ...changes(sandbox, path)];
