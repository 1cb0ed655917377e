// The trash: what it keeps, gives back and removes, and who may see it.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Sandbox } from "../../../src/disk/access/sandbox.ts";
import type { DiskOptions } from "../../../src/disk/disk.ts";
import { editText } from "../../../src/disk/edit/file-editor.ts";
import { readText } from "../../../src/disk/read/text-reader.ts";
import { copy } from "../../../src/disk/transfer/copy.ts";
import { moveToTrash, planDeletion } from "../../../src/disk/transfer/delete.ts";
import { move } from "../../../src/disk/transfer/move.ts";
import { MAX_BYTES, MAX_SLOTS, MAX_VERSIONS, removeOldSlots } from "../../../src/disk/trash/quotas.ts";
import { createSlot, slotFolders } from "../../../src/disk/trash/slots.ts";
import { Trash } from "../../../src/disk/trash/trash.ts";
import { listFolder } from "../../../src/disk/tree/listing.ts";
import { writeText } from "../../../src/disk/write/text-writer.ts";
import { hasOtherDevice } from "../../support/other-device.ts";
import { refusal, refuses, world, type World } from "../support/world.ts";

interface Setting {
  readonly at: (name: string) => string;
  readonly sandbox: Sandbox;
  readonly trash: Trash;
  readonly open: World["open"];
  drop(path: string): Promise<string>;
}

async function setting(options: Partial<DiskOptions> = {}, folder?: (place: World) => string): Promise<Setting> {
  const place = world();
  const { base, root, open } = place;
  const trash = new Trash(folder?.(place) ?? join(base, "state", "trash"));
  const sandbox = await open({ hidden: [trash.path], ...options });
  const drop = async (path: string): Promise<string> => {
    const { bytes } = await planDeletion(sandbox, path, { recursive: true, maxBytes: 1000 });
    return (await moveToTrash(sandbox, path, trash, bytes, { recursive: true })).undo!;
  };
  return { at: (name) => join(root, name), sandbox, trash, open, drop };
}

const elsewhere = (place: World): string => (hasOtherDevice ? place.elsewhere() : join(place.base, "t"));

const places = ["the same file system", "another file system"] as const;

test.each(places)("restores a deleted file, link and directory from %s", async (place) => {
  const { at, sandbox, trash, drop } = await setting({}, place === "another file system" ? elsewhere : undefined);
  writeFileSync(at("f"), "content", { mode: 0o640 });
  utimesSync(at("f"), 1000, 2000);
  symlinkSync("f", at("l"));
  mkdirSync(at("d/e"), { recursive: true });
  writeFileSync(at("d/e/g"), "deep");
  symlinkSync("e/g", at("d/m"));
  for (const name of ["l", "f", "d"]) {
    const id = await drop(name);
    expect(lstatSync(at(name), { throwIfNoEntry: false })).toBeUndefined();
    expect(await trash.restore(sandbox, id)).toEqual({
      path: at(name),
      act: "deleted",
      type: expect.any(String),
      time: expect.any(Date),
      undo: undefined,
    });
  }
  expect([readFileSync(at("f"), "utf8"), statSync(at("f")).mode & 0o777]).toEqual(["content", 0o640]);
  expect([readlinkSync(at("l")), readlinkSync(at("d/m")), readFileSync(at("d/e/g"), "utf8")]).toEqual(["f", "e/g", "deep"]);
  expect(slotFolders(trash.path)).toEqual([]);
});

test.each(places)("restores what each kind of write replaced, from %s", async (place) => {
  const { at, sandbox, trash } = await setting({}, place === "another file system" ? elsewhere : undefined);
  const acts: Record<string, () => Promise<{ undo?: string | undefined }>> = {
    write: () => writeText(sandbox, "f", "new", { trash }),
    edit: () => editText(sandbox, "f", [{ oldText: "old", newText: "new" }], { trash }),
    copy: () => copy(sandbox, "other", "f", { overwrite: true, trash }),
    move: () => move(sandbox, "other", "f", { overwrite: true, trash }),
  };
  for (const [name, act] of Object.entries(acts)) {
    writeFileSync(at("other"), "new");
    writeFileSync(at("f"), "old");
    chmodSync(at("f"), 0o604);
    const { undo } = await act();
    expect(readFileSync(at("f"), "utf8"), name).toBe("new");
    const { undo: redo } = await trash.restore(sandbox, undo!);
    expect([readFileSync(at("f"), "utf8"), statSync(at("f")).mode & 0o777], name).toEqual(["old", 0o604]);
    // The undo is undone in the same way.
    await trash.restore(sandbox, redo!);
    expect(readFileSync(at("f"), "utf8"), name).toBe("new");
  }
});

test("keeps a replaced link as a link", async () => {
  const { at, sandbox, trash } = await setting();
  writeFileSync(at("a"), "a");
  symlinkSync("nowhere", at("l"));
  const { undo } = await copy(sandbox, "a", "l", { overwrite: true, trash });
  await trash.restore(sandbox, undo!);
  expect(readlinkSync(at("l"))).toBe("nowhere");
});

test("stores nothing for a new file, an unchanged one or a failed write", async () => {
  const { at, sandbox, trash } = await setting();
  expect((await writeText(sandbox, "f", "1", { trash })).undo).toBeUndefined();
  await refuses("invalid", () => editText(sandbox, "f", [{ oldText: "1", newText: "1" }], { trash }));
  expect((await writeText(sandbox, "f", "1", { trash })).undo).toBeUndefined();
  await refuses("conflict", () => writeText(sandbox, "f", "2", { trash, expectedEtag: "c-0" }));
  const stop = new AbortController();
  const write = writeText(sandbox, "f", "3".repeat(9_000_000), { trash, signal: stop.signal });
  stop.abort();
  await expect(write).rejects.toThrow(/abort/i);
  expect([readFileSync(at("f"), "utf8"), slotFolders(trash.path)]).toEqual(["1", []]);
  expect(statSync(at("f")).nlink).toBe(1);
});

test("overwrites a file that the trash cannot store, and deletes none", async () => {
  const { at, sandbox, trash, drop } = await setting({}, ({ base }) => {
    writeFileSync(join(base, "file"), "");
    return join(base, "file", "trash");
  });
  writeFileSync(at("f"), "old");
  expect(await trash.accepts(3)).toBe(false);
  expect((await writeText(sandbox, "f", "new", { trash })).undo).toBeUndefined();
  expect((await refusal(() => drop("f"))).message).toMatch(/^Not deleted: the trash .* cannot be used any more/);
  expect(readFileSync(at("f"), "utf8")).toBe("new");
});

test.each(["open to others", "a link"])("refuses a trash folder that is %s", async (kind) => {
  const { trash } = await setting({}, ({ base }) => {
    mkdirSync(join(base, "real"), { mode: 0o777 });
    chmodSync(join(base, "real"), kind === "a link" ? 0o700 : 0o755);
    if (kind === "a link") symlinkSync("real", join(base, "link"));
    return join(base, kind === "a link" ? "link" : "real");
  });
  expect(await trash.accepts(1)).toBe(false);
});

test("restores nothing over another entry", async () => {
  const { at, sandbox, trash, drop } = await setting();
  writeFileSync(at("f"), "old");
  const id = await drop("f");
  writeFileSync(at("f"), "newer");
  await refuses("exists", () => trash.restore(sandbox, id));
  rmSync(at("f"));
  mkdirSync(at("f"));
  await refuses("exists", () => trash.restore(sandbox, id));
  rmSync(at("f"), { recursive: true });
  await trash.restore(sandbox, id);
  expect(readFileSync(at("f"), "utf8")).toBe("old");
});

test("creates the directories above a restored file", async () => {
  const { at, sandbox, trash, drop } = await setting();
  mkdirSync(at("a/b"), { recursive: true });
  writeFileSync(at("a/b/f"), "x");
  const id = await drop("a/b/f");
  rmSync(at("a"), { recursive: true });
  await trash.restore(sandbox, id);
  expect(readFileSync(at("a/b/f"), "utf8")).toBe("x");
});

test("restores nothing through a directory that became a link", async () => {
  const { at, sandbox, trash, drop } = await setting();
  mkdirSync(at("a"));
  mkdirSync(at("b"));
  writeFileSync(at("a/f"), "x");
  const id = await drop("a/f");
  renameSync(at("a"), at("c"));
  symlinkSync("b", at("a"));
  await refuses("conflict", () => trash.restore(sandbox, id));
  expect(readdirSync(at("b"))).toEqual([]);
});

test("lists and restores only what lies inside the sandbox and may be written", async () => {
  const { at, sandbox, trash, open, drop } = await setting();
  mkdirSync(at("in"));
  mkdirSync(at("out"));
  writeFileSync(at("in/f"), "in");
  writeFileSync(at("out/f"), "out");
  const [inner, outer] = [await drop("in/f"), await drop("out/f")];
  const narrow = await open({ directories: [{ path: at("in"), readOnly: false }] });
  expect((await trash.list(sandbox, 10)).map(({ id }) => id)).toEqual([outer, inner]);
  expect((await trash.list(narrow, 10)).map(({ id, path }) => [id, path])).toEqual([[inner, at("in/f")]]);
  const unknown = (await refusal(() => trash.restore(narrow, "unknown"))).message.replace("unknown", outer);
  expect((await refusal(() => trash.restore(narrow, outer))).message).toBe(unknown);
  const denied = await open({ deny: ["in"] });
  expect((await trash.list(denied, 10)).map(({ id }) => id)).toEqual([outer]);
  await refuses("not-found", () => trash.restore(denied, inner));
  const readOnly = await open({ readOnly: true });
  await refuses("read-only", () => trash.restore(readOnly, inner));
  expect([existsSync(at("in/f")), existsSync(at("out/f"))]).toEqual([false, false]);
});

test.each(["", "..", "../..", "x".repeat(5000), "*", "\0"])("refuses the id %j", async (id) => {
  const { at, sandbox, trash, drop } = await setting();
  writeFileSync(at("f"), "x");
  await drop("f");
  await refuses("not-found", () => trash.restore(sandbox, id));
});

test("hides the trash inside an allowed directory", async () => {
  const { at, sandbox, trash, drop } = await setting({}, ({ base }) => join(base, "ROOT", "home", "trash"));
  writeFileSync(at("f"), "secret");
  const id = await drop("f");
  expect((await listFolder(sandbox, "home")).entries).toEqual([]);
  const kept = `${realpathSync(trash.path)}/${slotFolders(trash.path)[0]}/content`;
  expect(readFileSync(kept, "utf8")).toBe("secret");
  await refuses(
    "denied",
    () => readText(sandbox, kept),
    () => writeText(sandbox, `${trash.path}/x`, "x"),
    () => drop("home"),
    () => move(sandbox, "home", "elsewhere"),
  );
  await trash.restore(sandbox, id);
  expect(readFileSync(at("f"), "utf8")).toBe("secret");
});

test("refuses to move a directory with a hidden name or .git to the trash", async () => {
  const { at, drop } = await setting({ deny: [".env"] });
  for (const name of [".env", ".git"]) {
    mkdirSync(at(`d/${name}`), { recursive: true });
    await refuses("denied", () => drop("d"));
    expect(existsSync(at(`d/${name}`))).toBe(true);
    rmSync(at("d"), { recursive: true });
  }
});

test("lists changes of one millisecond in order", async () => {
  const { trash } = await setting();
  mkdirSync(trash.path, { recursive: true });
  const folders = Array.from({ length: 50 }, () => createSlot(trash.path, { path: "/x", act: "deleted", type: "file" }, 1).folder);
  expect(slotFolders(trash.path)).toEqual(folders.toReversed());
});

test("removes entries that are too old, too large or too many", async () => {
  const { trash } = await setting();
  mkdirSync(trash.path, { recursive: true });
  const note = { path: "/x", act: "deleted", type: "file" } as const;
  for (let at = 0; at < MAX_SLOTS + 5; at += 1) createSlot(trash.path, note, 1);
  await removeOldSlots(trash.path);
  expect(slotFolders(trash.path)).toHaveLength(MAX_SLOTS);
  const day = 24 * 60 * 60 * 1000;
  await removeOldSlots(trash.path, Date.now() + 13 * day);
  expect(slotFolders(trash.path)).toHaveLength(MAX_SLOTS);
  await removeOldSlots(trash.path, Date.now() + 15 * day);
  expect(slotFolders(trash.path)).toEqual([]);
  for (let at = 0; at < 3; at += 1) createSlot(trash.path, note, 400 * 1024 * 1024);
  const newest = slotFolders(trash.path).slice(0, 2);
  await removeOldSlots(trash.path);
  expect(slotFolders(trash.path)).toEqual(newest);
});

test("removes a link in place of a slot, and nothing behind it", async () => {
  const { at, trash } = await setting();
  mkdirSync(trash.path, { recursive: true });
  mkdirSync(at("mine"));
  for (const name of ["content", "note.json"]) writeFileSync(join(at("mine"), name), "precious");
  const slot = createSlot(trash.path, { path: "/x", act: "deleted", type: "file" }, 1);
  rmSync(join(trash.path, slot.folder), { recursive: true });
  symlinkSync(at("mine"), join(trash.path, slot.folder));
  await removeOldSlots(trash.path, Date.now() + 15 * DAY_MS);
  expect([slotFolders(trash.path), readdirSync(at("mine"))]).toEqual([[], ["content", "note.json"]]);
});

test("stores the content of a file with several names as it was", async () => {
  const { at, sandbox, trash } = await setting();
  writeFileSync(at("f"), "old");
  linkSync(at("f"), at("g"));
  const { undo } = await writeText(sandbox, "f", "new", { trash });
  await trash.restore(sandbox, undo!);
  expect([readFileSync(at("f"), "utf8"), readFileSync(at("g"), "utf8")]).toEqual(["old", "old"]);
});

test("leaves nothing in the trash after a failed write, and the file as it was", async () => {
  const { at, sandbox, trash } = await setting();
  writeFileSync(at("f"), "old");
  using entry = sandbox.entry("f");
  const stat = lstatSync(at("f"), { bigint: true });
  const failing = trash.keepOverwritten(entry, stat, async () => {
    expect(slotFolders(trash.path)).toHaveLength(1);
    throw new Error("the disk is full");
  });
  await expect(failing).rejects.toThrow("the disk is full");
  expect([slotFolders(trash.path), await trash.list(sandbox, 10), readFileSync(at("f"), "utf8")]).toEqual([[], [], "old"]);
});

test.each(["deleted", "overwritten"])("stores a %s file in place of one that is too old", async (act) => {
  const { at, sandbox, trash } = await setting();
  const old = "000000001abcdef-1"; // of 1970
  mkdirSync(join(trash.path, old), { recursive: true, mode: 0o700 });
  chmodSync(trash.path, 0o700);
  writeFileSync(at("f"), "old");
  const events: string[][] = [];
  const own = new Trash(trash.path, (...event) => void events.push(event));
  if (act === "deleted") await moveToTrash(sandbox, "f", own, 3, { recursive: false });
  else await writeText(sandbox, "f", "new", { trash: own });
  expect(await own.list(sandbox, 10)).toMatchObject([{ path: at("f"), act }]);
  expect(slotFolders(trash.path)).not.toContain(old);
  expect(events).toEqual([["info", "Trash: removed the oldest 1 entry for good."]]);
});

const DAY_MS = 24 * 60 * 60 * 1000;

test("keeps what it promised the user, whatever else is deleted or overwritten", async () => {
  const { at, sandbox, trash } = await setting();
  writeFileSync(at("f"), "precious");
  const promising = trash.keeping({ isPromised: true });
  const { undo } = await moveToTrash(sandbox, "f", promising, 8, {});
  const note = { path: "/x", type: "file" } as const;
  for (let count = 0; count < MAX_SLOTS + 50; count += 1) createSlot(trash.path, { ...note, act: "overwritten" }, 1);
  for (const act of ["overwritten", "deleted"] as const) createSlot(trash.path, { ...note, act }, MAX_BYTES);
  await removeOldSlots(trash.path, Date.now() + 13 * DAY_MS);
  await trash.restore(sandbox, undo!);
  expect(readFileSync(at("f"), "utf8")).toBe("precious");
});

test("promises no more than it has room for, and accepts nothing that it cannot store", async () => {
  const { at, sandbox, trash } = await setting();
  const [ada, ben] = ["ada", "ben"].map((principal) => trash.keeping({ principal, isPromised: true }));
  expect(await ada!.accepts(MAX_BYTES)).toBe(true);
  createSlot(trash.path, { path: "/x", act: "deleted", type: "file" }, MAX_BYTES - 2, { principal: "ada", isPromised: true });
  expect([await ada!.accepts(2), await ada!.accepts(3), await ben!.accepts(3), await trash.accepts(3)]).toEqual([true, false, true, true]);
  writeFileSync(at("f"), "old");
  expect(await ada!.keeps(lstatSync(at("f"), { bigint: true }))).toBe(false);
  await refuses(
    "conflict",
    () => moveToTrash(sandbox, "f", ada!, 3, {}),
    () => writeText(sandbox, "f", "new", { trash: ada! }),
  );
  expect(readFileSync(at("f"), "utf8")).toBe("old");
});

test("counts deletions, overwriting and principals separately", async () => {
  const { trash } = await setting();
  await trash.accepts(1);
  const note = { path: "/x", type: "file" } as const;
  const first = (["deleted", "overwritten"] as const).flatMap((act) =>
    ["ada", undefined].map((principal) => createSlot(trash.path, { ...note, act }, 1, { principal }).folder),
  );
  for (let count = 0; count < MAX_SLOTS; count += 1) createSlot(trash.path, { ...note, act: "overwritten" }, 1, { principal: "ben" });
  createSlot(trash.path, { ...note, act: "deleted" }, MAX_BYTES, { principal: "ben" });
  await removeOldSlots(trash.path);
  expect(slotFolders(trash.path)).toEqual(expect.arrayContaining(first));
});

test("merges repeated overwriting of one path to the first state and the latest ones", async () => {
  const { at, sandbox, trash, drop } = await setting();
  for (const name of ["f", "g", "h"]) writeFileSync(at(name), "0");
  await writeText(sandbox, "g", "1", { trash });
  await drop("h");
  const undos: (string | undefined)[] = [];
  for (let count = 1; count <= 3 * MAX_VERSIONS; count += 1) undos.push((await writeText(sandbox, "f", String(count), { trash })).undo);
  await trash.removeOld();
  const kept = await trash.list(sandbox, 100, [at("f")]);
  expect(kept.map(({ id }) => id)).toEqual([undos[0], ...undos.slice(1 - MAX_VERSIONS)].toReversed());
  expect(await trash.list(sandbox, 100)).toHaveLength(MAX_VERSIONS + 2);
  for (const { id } of kept) await trash.restore(sandbox, id);
  expect(readFileSync(at("f"), "utf8")).toBe("0");
});

test.each<[string, (slot: string) => void]>([
  ["null", (slot) => writeFileSync(join(slot, "note.json"), "null")],
  ["a number", (slot) => writeFileSync(join(slot, "note.json"), "5")],
  ["an empty object", (slot) => writeFileSync(join(slot, "note.json"), "{}")],
  ["a path that is not a string", (slot) => writeFileSync(join(slot, "note.json"), '{"path":5,"act":"deleted","type":"file"}')],
  ["a relative path", (slot) => writeFileSync(join(slot, "note.json"), '{"path":"x","act":"deleted","type":"file"}')],
  ["an unknown act", (slot) => writeFileSync(join(slot, "note.json"), '{"path":"/x","act":"x","type":"file"}')],
  ["half a note", (slot) => writeFileSync(join(slot, "note.json"), '{"path":"/x')],
  ["ten megabytes", (slot) => writeFileSync(join(slot, "note.json"), " ".repeat(10_000_000))],
  ["no note", (slot) => rmSync(join(slot, "note.json"))],
  ["a directory", (slot) => (rmSync(join(slot, "note.json")), mkdirSync(join(slot, "note.json")))],
  ["a link", (slot) => (renameSync(join(slot, "note.json"), join(slot, "n")), symlinkSync("n", join(slot, "note.json")))],
  ["a pipe", (slot) => (rmSync(join(slot, "note.json")), execFileSync("mkfifo", [join(slot, "note.json")]))],
  ["no kept file", (slot) => rmSync(join(slot, "content"))],
])("undoes the rest despite a slot that holds %s", async (_what, damage) => {
  const { at, sandbox, trash, drop } = await setting();
  writeFileSync(at("f"), "old");
  writeFileSync(at("g"), "damaged");
  const id = await drop("f");
  const other = await drop("g");
  damage(join(trash.path, slotFolders(trash.path)[0]!));
  expect((await trash.list(sandbox, 10)).map((slot) => slot.id)).toEqual([id]);
  expect((await trash.last(sandbox))?.id).toBe(id);
  await refuses("not-found", () => trash.restore(sandbox, other));
  await trash.restore(sandbox, id);
  expect(readFileSync(at("f"), "utf8")).toBe("old");
});

test("stores again after the user removed the trash folder", async () => {
  const { at, sandbox, trash, drop } = await setting();
  writeFileSync(at("f"), "one");
  writeFileSync(at("g"), "two");
  await drop("f");
  rmSync(trash.path, { recursive: true });
  const id = await drop("g");
  expect((await trash.list(sandbox, 10)).map((slot) => slot.id)).toEqual([id]);
});
