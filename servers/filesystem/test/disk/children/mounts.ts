/** Binds a file and a read-only directory, as containers do, and prints the outcome of each change and what is there afterwards. */
import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DiskError } from "../../../src/disk/errors.ts";
import { openDisk } from "../../../src/disk/disk.ts";
import { editText } from "../../../src/disk/edit/file-editor.ts";
import { copy } from "../../../src/disk/transfer/copy.ts";
import { deletePath, moveToTrash, planDeletion } from "../../../src/disk/transfer/delete.ts";
import { move } from "../../../src/disk/transfer/move.ts";
import { Trash } from "../../../src/disk/trash/trash.ts";
import { makeFolder } from "../../../src/disk/write/directory-maker.ts";
import { writeText } from "../../../src/disk/write/text-writer.ts";

const [root = ""] = process.argv.slice(2);
const at = (name: string): string => join(root, name);
const mount = (...args: string[]) => execFileSync("mount", args);
mount("--bind", at("backing/file"), at("file"));
mount("--bind", at("backing/tree"), at("ro"));
mount("-o", "remount,bind,ro", at("ro"));

const sandbox = (await openDisk({ directories: [{ path: root, readOnly: false }] })).sandbox();
const trash = new Trash(join(root, "../out/trash"));

async function outcome(act: Promise<unknown>): Promise<string> {
  const text = await act.then(
    (done) => (done as { loss?: string }).loss ?? "done",
    (error: unknown) => (error instanceof DiskError ? `${error.code}: ${error.message}` : String(error)),
  );
  return text.replaceAll(`${root}/`, "");
}

const content = (name: string): string => readFileSync(at(name), "utf8");
const inode = lstatSync(at("file")).ino;

const written = await writeText(sandbox, "file", "new", { trash });
const contents = [content("file"), content("backing/file")];
await trash.restore(sandbox, written.undo!);
contents.push(content("backing/file"));
const file = {
  write: written.loss,
  contents,
  edit: await outcome(editText(sandbox, "file", [{ oldText: "old", newText: "edited" }], { trash })),
  copy: await outcome(copy(sandbox, "own", "file", { overwrite: true })),
  isSame: lstatSync(at("file")).ino === inode,
  moveAway: await outcome(move(sandbox, "file", "elsewhere")),
  moveOver: await outcome(move(sandbox, "own", "file", { overwrite: true })),
  plan: await outcome(planDeletion(sandbox, "file", { maxBytes: 1000 })),
  deleted: await outcome(deletePath(sandbox, "file", {})),
  toTrash: await outcome(moveToTrash(sandbox, "file", trash, 3, {})),
  moveTree: await outcome(move(sandbox, "ro", "elsewhere")),
  left: [content("backing/file"), existsSync(at("elsewhere")), existsSync(at("own"))],
};
const ro = {
  write: await outcome(writeText(sandbox, "ro/f", "new", { trash })),
  create: await outcome(writeText(sandbox, "ro/new", "new")),
  append: await outcome(writeText(sandbox, "ro/f", "new", { mode: "append" })),
  edit: await outcome(editText(sandbox, "ro/f", [{ oldText: "old", newText: "edited" }])),
  copyOver: await outcome(copy(sandbox, "own", "ro/f", { overwrite: true })),
  copyInto: await outcome(copy(sandbox, "own", "ro/g")),
  folder: await outcome(makeFolder(sandbox, "ro/a/b")),
  moveAway: await outcome(move(sandbox, "ro/f", "elsewhere")),
  moveTreeAway: await outcome(move(sandbox, "ro/d", "elsewhere")),
  moveInto: await outcome(move(sandbox, "own", "ro/own")),
  deleted: await outcome(deletePath(sandbox, "ro/f", {})),
  toTrash: await outcome(moveToTrash(sandbox, "ro/d", trash, 3, { recursive: true })),
  left: [readdirSync(at("ro"), { recursive: true }).map(String).toSorted(), existsSync(at("elsewhere")), existsSync(at("own"))],
};
process.stdout.write(JSON.stringify({ file, ro }));
