/** PATH-31 to PATH-39: odd names, and entries that are not files. Each case is judged by world.ts at its end. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { needs } from "@oarlock/testing";
import { expect, test } from "vitest";
import { editText } from "../../../src/disk/edit/file-editor.ts";
import { openDisk } from "../../../src/disk/disk.ts";
import { info } from "../../../src/disk/read/file-info.ts";
import { makeFolder } from "../../../src/disk/write/directory-maker.ts";
import { move } from "../../../src/disk/transfer/move.ts";
import { readBytes } from "../../../src/disk/read/byte-reader.ts";
import { readText } from "../../../src/disk/read/text-reader.ts";
import { writeText } from "../../../src/disk/write/text-writer.ts";
import { looks } from "../support/operations.ts";
import { refusal, refuses, world } from "../support/world.ts";

test("PATH-32 names no other file by trailing dots, blanks and slashes", async () => {
  const { root, open } = world();
  mkdirSync(join(root, "dir"));
  writeFileSync(join(root, "f.txt"), "f");
  writeFileSync(join(root, "plain.txt"), "plain");
  const sandbox = await open();
  for (const path of ["f.txt.", "f.txt ", " f.txt"])
    await refuses(
      "not-found",
      () => readText(sandbox, path),
      () => editText(sandbox, path, [{ oldText: "f", newText: "g" }]),
    );
  for (const path of ["f.txt/", "f.txt/."]) await refuses("not-a-folder", ...looks(sandbox, path), () => makeFolder(sandbox, path));
  await refuses(
    "not-a-folder",
    () => writeText(sandbox, "f.txt/", "x"),
    () => writeText(sandbox, "new.txt/", "x"),
    () => move(sandbox, "f.txt/", "g"),
    () => move(sandbox, "f.txt", "g/"),
  );
  await refuses(
    "invalid",
    () => writeText(sandbox, "dir/.", "x"),
    () => writeText(sandbox, "dir/..", "x"),
    () => move(sandbox, "dir/..", "x"),
    () => readText(sandbox, ""),
    () => writeText(sandbox, "", "x"),
  );
  await refuses(
    "not-a-file",
    () => readText(sandbox, "dir/."),
    () => readText(sandbox, "."),
    () => writeText(sandbox, "dir", "x"),
    () => writeText(sandbox, "dir/", "x"),
  );
  await writeText(sandbox, "f.txt ", "blank");
  expect(readFileSync(join(root, "f.txt"), "utf8")).toBe("f");
  expect(readFileSync(join(root, "f.txt "), "utf8")).toBe("blank");
});

test("PATH-33 treats another case as another name, also of hidden files", needs("names that differ in case"), async () => {
  const { base } = world();
  mkdirSync(join(base, "Data"));
  writeFileSync(join(base, "Data", ".env"), "canary-env");
  writeFileSync(join(base, "Data", ".ENV"), "other");
  const sandbox = (await openDisk({ directories: [{ path: join(base, "Data"), readOnly: false }], deny: [".env"] })).sandbox();
  await refuses(
    "denied",
    () => readText(sandbox, `${base}/data/.ENV`),
    () => readText(sandbox, ".env"),
  );
  expect((await readText(sandbox, ".ENV")).content).toBe("other");
});

test("PATH-34 reads normal forms as exact bytes", async () => {
  const { base } = world();
  const [composed, decomposed] = ["\u00e9", "e\u0301"];
  mkdirSync(join(base, composed));
  const root = join(base, composed);
  writeFileSync(join(root, composed), "composed");
  writeFileSync(join(root, decomposed), "decomposed");
  const sandbox = (await openDisk({ directories: [{ path: root, readOnly: false }] })).sandbox();
  expect((await readText(sandbox, composed)).content).toBe("composed");
  expect((await readText(sandbox, decomposed)).content).toBe("decomposed");
  await refuses("denied", () => readText(sandbox, join(base, decomposed, composed)));
});

test("PATH-31 PATH-35 reads backslashes and look-alikes as plain names", async () => {
  const { root, open } = world();
  const sandbox = await open();
  const names = ["..\\OUT\\secret.txt", "ROOT\\..\\OUT", "./C:\\x", "\uff0f..\uff0f", "\u2215", "\u2024\u2024", ".\u00ad.", ".\u200d."];
  for (const name of names) {
    await refuses("not-found", () => readText(sandbox, name));
    await writeText(sandbox, name, name);
    expect((await readText(sandbox, name)).content).toBe(name);
  }
  expect(readdirSync(root).length).toBe(names.length);
});

test("PATH-36 refuses a FIFO, and waits nowhere for a writer", needs("named pipes"), async () => {
  const { root, open } = world();
  for (let i = 0; i < 8; i += 1) execFileSync("mkfifo", [join(root, `p${i}`)]);
  writeFileSync(join(root, "plain.txt"), "plain");
  const sandbox = await open();
  const reads = Array.from({ length: 8 }, (_, i) => refusal(() => readText(sandbox, `p${i}`)));
  for (const error of await Promise.all(reads)) expect(error.message).toMatch(/^Not a regular file/);
  await refuses(
    "not-a-file",
    () => readBytes(sandbox, "p0", { maxBytes: 10 }),
    () => writeText(sandbox, "p0", "x"),
    () => writeText(sandbox, "p0", "x", { mode: "append" }),
    () => editText(sandbox, "p0", [{ oldText: "a", newText: "b" }]),
    () => move(sandbox, "p0", "p9"),
    () => move(sandbox, "p0", "plain.txt", { overwrite: true }),
  );
  expect(info(sandbox, "p0")).toMatchObject({ isFile: false, isDirectory: false, size: 0 });
  expect((await readText(sandbox, "plain.txt")).content).toBe("plain");
});

test("PATH-37 refuses devices by type without reading a byte", needs("special files"), async () => {
  const { root, open } = world();
  for (const name of ["zero", "urandom", "tty"]) symlinkSync(`/dev/${name}`, join(root, name));
  writeFileSync(join(root, "plain.txt"), "plain");
  let nodes: string[] = [];
  try {
    execFileSync("mknod", [join(root, "node"), "c", "1", "5"], { stdio: "ignore" });
    nodes = ["node"];
  } catch {
    // Only the administrator makes devices.
  }
  const sandbox = await open();
  for (const name of ["zero", "urandom", "tty"]) await refuses("denied", ...looks(sandbox, name), () => writeText(sandbox, name, "x"));
  for (const name of nodes) await refuses("not-a-file", ...looks(sandbox, name).slice(0, 4), () => writeText(sandbox, name, "x"));
  const everything = (await openDisk({ directories: [{ path: "/", readOnly: false }] })).sandbox();
  await refuses("not-a-file", ...looks(everything, "/dev/zero").slice(0, 4), ...looks(everything, join(root, "zero")).slice(0, 4));
});

test("PATH-38 refuses the content of a socket file without hanging", needs("special files"), async () => {
  const { root, open } = world();
  const server = createServer();
  await new Promise<void>((done) => server.listen(join(root, "s"), done));
  try {
    const sandbox = await open();
    await refuses(
      "not-a-file",
      () => readText(sandbox, "s"),
      () => writeText(sandbox, "s", "x"),
      () => editText(sandbox, "s", []),
      () => move(sandbox, "s", "t"),
    );
    expect(info(sandbox, "s")).toMatchObject({ isFile: false, isDirectory: false });
  } finally {
    await new Promise((done) => server.close(done));
  }
});

test("PATH-39 refuses magic links below /", needs("/proc"), async () => {
  const { root, out, open } = world();
  const sandbox = (await openDisk({ directories: [{ path: "/", readOnly: false }] })).sandbox();
  symlinkSync("/proc/self/cwd", join(root, "cwd"));
  symlinkSync("/dev/stdin", join(root, "stdin"));
  const paths = [
    "/proc/self/environ",
    "/proc/self/root/etc/passwd",
    "/proc/self/cwd/package.json",
    "/proc/self/fd/3",
    "/proc/self/fd/0",
    "/dev/stdin",
    "/dev/fd/0",
    "/proc",
    "/proc/1/status",
    "/./proc/../proc/self/environ",
    join(root, "cwd", "package.json"),
    join(root, "stdin"),
  ];
  for (const path of paths) await refuses("denied", ...looks(sandbox, path));
  for (const path of paths) expect(["denied", "not-a-file"]).toContain((await refusal(() => writeText(sandbox, path, "x"))).code);
  expect((await readText(sandbox, join(out, "secret.txt"))).content).toMatch(/^canary/);
  // With another root, links into /proc lead out.
  await refuses("denied", ...looks(await open(), "stdin"), ...looks(await open(), "cwd/package.json"));
});

test("shows no inner path for a name without read permission", async () => {
  const { root, open } = world();
  mkdirSync(join(root, "locked"));
  writeFileSync(join(root, "locked", "f"), "x");
  chmodSync(join(root, "locked"), 0o000);
  const sandbox = await open();
  try {
    const result = await Promise.resolve()
      .then(() => readText(sandbox, "locked/f"))
      .then(
        (read) => read.content,
        (error: Error) => error.message,
      );
    // The administrator may read everything.
    expect(result).toMatch(/^x$|does not permit this \(EACCES\): locked\/f$/);
  } finally {
    chmodSync(join(root, "locked"), 0o755);
  }
});
