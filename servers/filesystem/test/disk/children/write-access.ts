/** Changes files that this user may not write, or whose names it may not change, and prints the outcome of each act and what is there afterwards. */
import { chmodSync, existsSync, lstatSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
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

const [root = "", what = ""] = process.argv.slice(2);
const at = (name: string): string => join(root, name);
const sandbox = (await openDisk({ directories: [{ path: root, readOnly: false }] })).sandbox();
const trash = new Trash(join(root, "../out/trash"));

interface Done {
  readonly loss?: string | undefined;
  readonly undo?: string | undefined;
}

/** The error, or the remarks of a success. Absolute paths are shortened. */
async function outcome(act: Promise<Done>): Promise<string> {
  const text = await act.then(
    ({ loss }) => loss ?? "done",
    (error: unknown) => (error instanceof DiskError ? `${error.code}: ${error.message}` : String(error)),
  );
  return text.replaceAll(`${root}/`, "");
}

const content = (name: string): string => readFileSync(at(name), "utf8");
const old = { oldText: "old", newText: "edited" };
const deletion = { recursive: true } as const;

/** All ways to change the file, which keeps its content. */
const attempts = async (name: string) => ({
  write: await outcome(writeText(sandbox, name, "new", { trash })),
  append: await outcome(writeText(sandbox, name, "new", { mode: "append" })),
  edit: await outcome(editText(sandbox, name, [old], { trash })),
  copy: await outcome(copy(sandbox, "own", name, { overwrite: true, trash })),
  content: content(name),
});

async function protectedFile() {
  chmodSync(at("protected"), 0o444);
  const { isProtected, bytes } = await planDeletion(sandbox, "protected", { maxBytes: 1000 });
  const attempted = await attempts("protected");
  const moved = await move(sandbox, "own", "protected", { overwrite: true, trash });
  return {
    attempted,
    isProtected,
    moved: moved.loss,
    undone: await outcome(trash.restore(sandbox, moved.undo!)),
    restored: content("protected"),
    deleted: await outcome(moveToTrash(sandbox, "protected", trash, bytes, {})),
  };
}

async function closedFolder() {
  chmodSync(at("closed"), 0o555);
  const before = lstatSync(at("closed/f"));
  const written = await writeText(sandbox, "closed/f", "new", { trash });
  const afterWrite = content("closed/f");
  const undone = await trash.restore(sandbox, written.undo!);
  const afterUndo = content("closed/f");
  await trash.restore(sandbox, undone.undo!);
  const afterRedo = content("closed/f");
  writeFileSync(at("closed/f"), "old");
  const result = {
    written: written.loss,
    contents: [afterWrite, afterUndo, afterRedo],
    edit: await outcome(editText(sandbox, "closed/f", [old], { trash })),
    copied: await outcome(copy(sandbox, "own", "closed/f", { overwrite: true, trash })),
    isSame: lstatSync(at("closed/f")).ino === before.ino && lstatSync(at("closed/f")).mode === before.mode,
    create: await outcome(writeText(sandbox, "closed/new", "new")),
    folder: await outcome(makeFolder(sandbox, "closed/a/b").then(() => ({}))),
    into: await outcome(move(sandbox, "own", "closed/own")),
    out: await outcome(move(sandbox, "closed/f", "f")),
    copyInto: await outcome(copy(sandbox, "own", "closed/own")),
    tree: await outcome(copy(sandbox, "d", "closed/d", { recursive: true })),
    plan: await outcome(planDeletion(sandbox, "closed/f", { maxBytes: 1000 }).then(() => ({}))),
    deleted: await outcome(deletePath(sandbox, "closed", deletion).then(() => ({}))),
    names: readdirSync(at("closed")).toSorted(),
  };
  chmodSync(at("closed"), 0o755);
  return result;
}

async function foreignFiles() {
  const shared = await writeText(sandbox, "shared", "new", { trash });
  const { uid, gid } = statSync(at("shared"));
  return {
    foreign: await attempts("foreign"),
    shared: [shared.loss, content("shared"), { uid, gid }],
    sticky: [await outcome(writeText(sandbox, "sticky/f", "new", { trash })), content("sticky/f"), statSync(at("sticky/f")).uid],
    deleted: await outcome(deletePath(sandbox, "sticky/f", {}).then(() => ({}))),
    left: existsSync(at("sticky/f")),
  };
}

const acts: Readonly<Record<string, () => Promise<unknown>>> = { protectedFile, closedFolder, foreignFiles };
process.stdout.write(JSON.stringify(await acts[what]?.()));
