import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { editText } from "../../../src/disk/edit/file-editor.ts";
import { makeFolder } from "../../../src/disk/write/directory-maker.ts";
import { move } from "../../../src/disk/transfer/move.ts";
import { openDisk } from "../../../src/disk/disk.ts";
import { readText } from "../../../src/disk/read/text-reader.ts";
import { writeText } from "../../../src/disk/write/text-writer.ts";
import { hasOtherDevice } from "../../support/other-device.ts";
import { refusal, refuses, tempsIn, world } from "../support/world.ts";

test("overwrites, appends and creates", async () => {
  const { root, open } = world();
  const sandbox = await open();
  const path = join(root, "f");
  expect(await writeText(sandbox, "f", "é1\n")).toMatchObject({ path, bytesWritten: 4, created: true });
  expect(await writeText(sandbox, "f", "22")).toMatchObject({ bytesWritten: 2, created: false });
  expect(await writeText(sandbox, "f", "3", { mode: "append" })).toMatchObject({ bytesWritten: 1, created: false });
  expect(readFileSync(path, "utf8")).toBe("223");
  await refuses("exists", () => writeText(sandbox, "f", "x", { mode: "create" }));
  await writeText(sandbox, "g", "new", { mode: "create" });
  await writeText(sandbox, "h", "new", { mode: "append" });
  expect(readFileSync(path, "utf8")).toBe("223");
  expect(readFileSync(join(root, "g"), "utf8")).toBe("new");
  const { etag } = await writeText(sandbox, "f", "x".repeat(5_000_000));
  expect((await readText(sandbox, "f", { head: 1 })).etag).toBe(etag);
});

test("names a missing directory, and creates it on request", async () => {
  const { root, open } = world();
  const sandbox = await open();
  expect((await refusal(() => writeText(sandbox, "a/b/f", "x"))).message).toBe(
    "Parent directory does not exist: a/b. create_directory makes it.",
  );
  await writeText(sandbox, "a/b/f", "x", { createDirectories: true });
  expect(readFileSync(join(root, "a/b/f"), "utf8")).toBe("x");
  await refuses("invalid", () => writeText(sandbox, "c/d/f", "é€", { createDirectories: true, encoding: "latin1" }));
  await refuses("denied", () => writeText(sandbox, "c/d/.git", "x", { createDirectories: true }));
  expect(existsSync(join(root, "c"))).toBe(false);
});

test("leaves no directory behind after a refused write", async () => {
  const { root, open } = world();
  mkdirSync(join(root, "ro"));
  const directories = [root, join(root, "ro")].map((path) => ({ path, readOnly: path !== root }));
  const sandbox = await open({ deny: ["hidden*"], directories });
  const how = { createDirectories: true };
  const long = `a/${"n".repeat(256)}`;
  for (const path of ["a/.git", "a/.git/x", "a/b/hidden.txt", "a/hidden/f", "ro/a/f", long, `${long}/f`, "a/b/f/", "a/..", "a/b/../d"]) {
    for (const mode of ["overwrite", "append", "create"] as const)
      await refusal(() => writeText(sandbox, `${root}/${path}`, "x", { ...how, mode }));
  }
  await refuses(
    "invalid",
    () => writeText(sandbox, "a/b/f", "\ud800", how),
    () => writeText(sandbox, "a/b/f", "€", { ...how, encoding: "latin1" }),
  );
  await refuses("conflict", () => writeText(sandbox, "a/b/f", "x", { ...how, expectedEtag: "none" }));
  await refuses("denied", () => writeText(sandbox, "C:/a/b/f", "x", how));
  await expect(writeText(sandbox, "a/b/f", "x", { ...how, signal: AbortSignal.abort() })).rejects.toThrow(/abort/i);
  expect(readdirSync(root, { recursive: true })).toEqual(["ro"]);
  // Only what was made by this write goes.
  mkdirSync(join(root, "a"));
  await refusal(() => writeText(sandbox, "a/b/c/", "x", how));
  expect(new Set(readdirSync(root, { recursive: true, encoding: "utf8" }))).toEqual(new Set(["a", "ro"]));
});

test("keeps the mode, drops set-user-id bits, and follows the umask for new files", async () => {
  const { root, open } = world();
  const sandbox = await open();
  for (const [before, after] of [
    [0o755, 0o755],
    [0o600, 0o600],
    [0o4755, 0o755],
    [0o2711, 0o711],
    [0o666, 0o666],
  ] as const) {
    for (const act of [
      () => writeText(sandbox, "f", "new"),
      () => writeText(sandbox, "f", "new", { mode: "append" }),
      () => editText(sandbox, "f", [{ oldText: "old", newText: "new" }]),
    ]) {
      writeFileSync(join(root, "f"), "old");
      chmodSync(join(root, "f"), before);
      await act();
      expect((statSync(join(root, "f")).mode & 0o7777).toString(8)).toBe(after.toString(8));
    }
  }
  const before = process.umask();
  await writeText(sandbox, "new", "x");
  expect(statSync(join(root, "new")).mode & 0o777).toBe(0o666 & ~before);
});

test("requires the expected etag to match the current file", async () => {
  const { root, open } = world();
  const sandbox = await open();
  const { etag } = await writeText(sandbox, "f", "one");
  writeFileSync(join(root, "f"), "two");
  for (const mode of ["overwrite", "append"] as const)
    await refuses("conflict", () => writeText(sandbox, "f", "three", { mode, expectedEtag: etag }));
  await refuses(
    "conflict",
    () => writeText(sandbox, "missing", "x", { expectedEtag: etag }),
    () => editText(sandbox, "f", [{ oldText: "two", newText: "x" }], { expectedEtag: etag }),
  );
  expect(readFileSync(join(root, "f"), "utf8")).toBe("two");
  expect(readdirSync(root)).toEqual(["f"]);
  const now = (await readText(sandbox, "f")).etag;
  const next = await writeText(sandbox, "f", "three", { expectedEtag: now });
  const last = await editText(sandbox, "f", [{ oldText: "three", newText: "four" }], { expectedEtag: next.etag });
  expect((await readText(sandbox, "f")).etag).toBe(last.etag);
});

test("writes other encodings with their mark, and appends in them", async () => {
  const { root, open } = world();
  const sandbox = await open();
  for (const encoding of ["utf-16le", "utf-16be"] as const) {
    await writeText(sandbox, encoding, "é\n", { encoding });
    await writeText(sandbox, encoding, "ü", { mode: "append" });
    expect(await readText(sandbox, encoding)).toMatchObject({ content: "é\nü", encoding, bom: true });
  }
  writeFileSync(join(root, "latin"), Buffer.from("é\n", "latin1"));
  await writeText(sandbox, "latin", "ü", { mode: "append" });
  expect(readFileSync(join(root, "latin"))).toEqual(Buffer.from("é\nü", "latin1"));
  await refuses(
    "invalid",
    () => writeText(sandbox, "latin", "中", { mode: "append" }),
    () => writeText(sandbox, "x", "\ud800"),
  );
  await writeText(sandbox, "win", "“€”", { encoding: "windows-1252" });
  expect(readFileSync(join(root, "win"))).toEqual(Buffer.from([0x93, 0x80, 0x94]));
});

test.each([
  ["a\r\nb\r\n", "utf-8", undefined, ["Its lines ended with CRLF, and end with LF now, as in content."]],
  ["a\r\nb\r\n", "utf-16le", undefined, ["It stays utf-16le.", "Its lines ended with CRLF, and end with LF now, as in content."]],
  ["a\n", "utf-16be", undefined, ["It stays utf-16be."]],
  ["a\r\n", "utf-16le", "utf-16le", ["Its lines ended with CRLF, and end with LF now, as in content."]],
  ["a\n", "utf-8", undefined, []],
  ["a", "utf-8", undefined, []],
])("names what an overwritten %j in %s (written as %s) keeps and loses", async (before, form, encoding, notes) => {
  const { open } = world();
  const sandbox = await open();
  await writeText(sandbox, "f", before, { encoding: form });
  expect((await writeText(sandbox, "f", "c\nd\n", { encoding })).notes).toEqual(notes);
});

test("keeps the order of writes to one file, and loses no append", async () => {
  const { root, open } = world();
  const sandbox = await open();
  await Promise.all(Array.from({ length: 60 }, (_, i) => writeText(sandbox, "log", `${i}\n`, { mode: "append" })));
  expect(readFileSync(join(root, "log"), "utf8")).toBe(Array.from({ length: 60 }, (_, i) => `${i}\n`).join(""));
});

test("leaves the file as it was after a cancelled write", async () => {
  const { root, open } = world();
  const sandbox = await open();
  await writeText(sandbox, "f", "old");
  await expect(writeText(sandbox, "f", "x".repeat(3_000_000), { signal: AbortSignal.abort() })).rejects.toThrow(/abort/i);
  const controller = new AbortController();
  const write = writeText(sandbox, "f", "x".repeat(30_000_000), { signal: controller.signal });
  setImmediate(() => controller.abort());
  await expect(write).rejects.toThrow(/abort/i);
  expect(readFileSync(join(root, "f"), "utf8")).toBe("old");
  expect(readdirSync(root)).toEqual(["f"]);
});

test("PATH-44 creates temporary files that cannot be guessed or followed, are no wider and never stay", async () => {
  const { root, out, open } = world();
  const sandbox = await open();
  writeFileSync(join(root, "f"), "0");
  chmodSync(join(root, "f"), 0o600);
  const guesses = ["f.tmp", ".f.tmp", "f~", ".oarlock.tmp", ".oarlock-f.tmp", `f.${process.pid}.tmp`];
  for (const guess of guesses) symlinkSync(join(out, "created.txt"), join(root, guess));
  const seen = new Set<string>();
  const watching = new AbortController();
  let ofWrite: AbortController | undefined;
  const watch = (async () => {
    while (!watching.signal.aborted) {
      for (const name of readdirSync(root)) {
        if (name === "f" || guesses.includes(name)) continue;
        seen.add(name);
        ofWrite?.abort();
        expect(name).toMatch(/^\.oarlock-[0-9a-f]{32}\.tmp$/);
        expect((statSync(join(root, name), { throwIfNoEntry: false })?.mode ?? 0) & 0o077).toBe(0);
      }
      await new Promise(setImmediate);
    }
  })();
  let failed = 0;
  for (let i = 1; i <= 40; i += 1) {
    if (i % 5 === 0) {
      // Given up as soon as its temporary file is there.
      ofWrite = new AbortController();
      await writeText(sandbox, "f", "no".repeat(200_000), { signal: ofWrite.signal }).catch(() => (failed += 1));
      ofWrite = undefined;
      await writeText(sandbox, "f", `${i}`);
    } else if (i % 2 === 0) await editText(sandbox, "f", [{ oldText: `${i - 1}`, newText: `${i}` }]);
    else await writeText(sandbox, "f", `${i}`);
  }
  watching.abort();
  await watch;
  expect(failed).toBeGreaterThan(0);
  expect(seen.size).toBeGreaterThan(10);
  expect(readFileSync(join(root, "f"), "utf8")).toBe("40");
  expect(readdirSync(root).toSorted()).toEqual([...guesses, "f"].toSorted());
  for (const guess of guesses) rmSync(join(root, guess));
});

test("creates a directory and those above it once", async () => {
  const { root, open } = world();
  const sandbox = await open();
  expect(await makeFolder(sandbox, "a/b/c/")).toEqual({ path: join(root, "a/b/c"), created: true });
  expect(await makeFolder(sandbox, `${root}/a/./b/c/.`)).toEqual({ path: join(root, "a/b/c"), created: false });
  expect(await makeFolder(sandbox, ".")).toEqual({ path: root, created: false });
  writeFileSync(join(root, "f"), "");
  await refuses(
    "not-a-folder",
    () => makeFolder(sandbox, "f"),
    () => makeFolder(sandbox, "f/x"),
  );
  const both = await Promise.all([makeFolder(sandbox, "x/y/z"), makeFolder(sandbox, "x/y/z"), makeFolder(sandbox, "x/y/w")]);
  expect(both.length).toBe(3);
});

test("moves files and directories, overwriting only on request", async () => {
  const { root, open } = world();
  const sandbox = await open();
  mkdirSync(join(root, "d/sub"), { recursive: true });
  writeFileSync(join(root, "d/sub/f"), "f");
  writeFileSync(join(root, "a"), "a");
  writeFileSync(join(root, "b"), "b");
  expect(await move(sandbox, "a", "c")).toEqual({ from: join(root, "a"), to: join(root, "c"), overwritten: false });
  expect((await refusal(() => move(sandbox, "c", "b"))).message).toBe("Destination already exists: b");
  await refuses(
    "exists",
    () => move(sandbox, "c", "c"),
    () => move(sandbox, "d", "b"),
    () => move(sandbox, "d", "d/../d"),
    () => move(sandbox, "c", "d"),
    () => move(sandbox, "c", "d", { overwrite: true }),
  );
  await refuses("invalid", () => move(sandbox, "d", "d/sub/d"));
  await refuses(
    "not-found",
    () => move(sandbox, "missing", "x"),
    () => move(sandbox, "missing", "new/x"),
  );
  expect((await move(sandbox, "c", "b", { overwrite: true })).overwritten).toBe(true);
  expect(readFileSync(join(root, "b"), "utf8")).toBe("a");
  await move(sandbox, "d", "e");
  await move(sandbox, "e/sub/", "sub/");
  expect(readFileSync(join(root, "sub/f"), "utf8")).toBe("f");
  mkdirSync(join(root, "empty"));
  mkdirSync(join(root, "full"));
  writeFileSync(join(root, "full/x"), "x");
  await refuses(
    "exists",
    () => move(sandbox, "sub", "full", { overwrite: true }),
    () => move(sandbox, "sub", "empty"),
  );
  await move(sandbox, "sub", "empty", { overwrite: true });
  expect(readdirSync(root).toSorted()).toEqual(["b", "e", "empty", "full"]);
});

test("moves one of two files at once onto one name, and loses neither", async () => {
  const { root, open } = world();
  const sandbox = await open();
  for (let round = 0; round < 20; round += 1) {
    for (const name of ["a", "b"]) writeFileSync(join(root, name), name);
    const results = await Promise.allSettled([move(sandbox, "a", "c"), move(sandbox, "b", "c")]);
    expect(results.filter((result) => result.status === "fulfilled").length).toBe(1);
    expect(readdirSync(root).length).toBe(2);
    for (const name of readdirSync(root)) rmSync(join(root, name));
  }
});

test.runIf(hasOtherDevice)("moves from one file system to another", async () => {
  const { root, elsewhere } = world();
  const other = elsewhere();
  const sandbox = (await openDisk({ directories: [root, other].map((path) => ({ path, readOnly: false })) })).sandbox();
  writeFileSync(join(root, "f"), "x".repeat(1_000_000), { mode: 0o640 });
  mkdirSync(join(root, "d/sub"), { recursive: true });
  mkdirSync(join(root, "d/locked"), { mode: 0o500 });
  writeFileSync(join(root, "d/sub/run"), "run", { mode: 0o755 });
  symlinkSync("sub/run", join(root, "d/link"));
  symlinkSync("f", join(root, "l"));
  const before = statSync(join(root, "f"));
  await move(sandbox, join(root, "f"), join(other, "f"));
  const after = statSync(join(other, "f"));
  expect([after.size, after.mode]).toEqual([before.size, before.mode]);
  expect(Math.abs(after.mtimeMs - before.mtimeMs)).toBeLessThan(0.01);
  await move(sandbox, join(root, "d"), join(other, "d"));
  await move(sandbox, join(root, "l"), join(other, "l"));
  expect(readFileSync(join(other, "d/link"), "utf8")).toBe("run");
  expect(statSync(join(other, "d/sub/run")).mode & 0o777).toBe(0o755);
  expect(statSync(join(other, "d/locked")).mode & 0o777).toBe(0o500);
  expect(readdirSync(root)).toEqual([]);
  writeFileSync(join(root, "f"), "other");
  await refuses(
    "exists",
    () => move(sandbox, join(root, "f"), join(other, "f")),
    () => move(sandbox, join(other, "d"), join(root, "f")),
  );
  await move(sandbox, join(root, "f"), join(other, "f"), { overwrite: true });
  expect(readFileSync(join(other, "f"), "utf8")).toBe("other");
  expect(tempsIn(other)).toEqual([]);
});
