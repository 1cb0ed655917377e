/** Narrowing, hiding, read-only directories, relative paths. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { portableHandles } from "@oarlock/domain-kit";
import { expect, test } from "vitest";
import { parseDirectory } from "../../../src/directory-argument.ts";
import { editText } from "../../../src/disk/edit/file-editor.ts";
import { openDisk } from "../../../src/disk/disk.ts";
import { info } from "../../../src/disk/read/file-info.ts";
import { makeFolder } from "../../../src/disk/write/directory-maker.ts";
import { move } from "../../../src/disk/transfer/move.ts";
import { readText } from "../../../src/disk/read/text-reader.ts";
import { writeText } from "../../../src/disk/write/text-writer.ts";
import { looks } from "../support/operations.ts";
import { refusal, refuses, world } from "../support/world.ts";

const read = async (sandbox: Parameters<typeof readText>[0], path: string) => (await readText(sandbox, path)).content;

test("narrows access by client roots, and never widens it", async () => {
  const { root, out, open } = world();
  for (const name of ["a", "b", "a/deep"]) mkdirSync(join(root, name));
  for (const name of ["top", "a/f", "b/f", "a/deep/f"]) writeFileSync(join(root, name), name);
  const sandbox = await open();
  expect(sandbox.narrowed(undefined)).toBe(sandbox);
  await refuses("denied", ...looks(sandbox.narrowed([]), "a/f"), ...looks(sandbox.narrowed([]), root));
  const narrow = sandbox.narrowed([join(root, "a")]);
  expect(narrow.roots.map((one) => one.real)).toEqual([join(root, "a")]);
  expect(await read(narrow, "f")).toBe("a/f");
  expect(await read(narrow, join(root, "a/deep/f"))).toBe("a/deep/f");
  await refuses("denied", ...looks(narrow, join(root, "b/f")), ...looks(narrow, "../b/f"), ...looks(narrow, root), () =>
    writeText(narrow, join(root, "x"), ""),
  );
  // A folder around the root gives the root, one outside gives nothing, and narrowing twice does not widen.
  expect(sandbox.narrowed(["/"]).roots.map((one) => one.real)).toEqual([root]);
  expect(sandbox.narrowed([out, join(root, "missing"), "relative", join(root, "top")]).roots).toEqual([]);
  expect(narrow.narrowed([root]).roots.map((one) => one.real)).toEqual([join(root, "a")]);
  expect(narrow.narrowed([join(root, "b")]).roots).toEqual([]);
  symlinkSync(join(root, "b"), join(root, "a", "link"));
  await refuses("denied", ...looks(narrow, "link/f"));
  expect(narrow.shows(join(root, "a", "x"))).toBe(true);
  expect(narrow.shows(join(root, "b", "x"))).toBe(false);
});

test.each([
  ["by its real path", "real/sub", ["link/sub"]],
  ["as the operator spells it", "link/sub", ["link/sub"]],
  ["by a link of its own", "other/sub", ["other/sub", "link/sub"]],
])("reaches a root named %s in the operator's spelling", async (_how, offered, spellings) => {
  const { root, openAt } = linked();
  const narrow = (await openAt("link")).narrowed([join(root, offered)]);
  expect(narrow.roots).toEqual(spellings.map((given) => ({ given: join(root, given), real: join(root, "real/sub"), readOnly: false })));
  for (const path of [...spellings, "real/sub"]) expect(await read(narrow, join(root, path, "f"))).toBe("f");
  await refuses("denied", ...looks(narrow, join(root, "link/top")), ...looks(narrow, join(root, "link")));
});

test.each([
  ["real", "real/sub:ro"],
  ["real/sub:ro", "real"],
  ["real:ro", "real/sub"],
])("takes write permission from the inner of two nested directories: %s, %s", async (...directories) => {
  const { root, openAt } = linked();
  const narrow = (await openAt(...directories)).narrowed([join(root, "real/sub")]);
  const readOnly = directories.includes("real/sub:ro");
  expect(narrow.roots).toEqual([{ given: join(root, "real/sub"), real: join(root, "real/sub"), readOnly }]);
  if (readOnly) await refuses("read-only", () => writeText(narrow, "f", "x"));
  else await writeText(narrow, "f", "x");
});

function linked() {
  const { root } = world();
  mkdirSync(join(root, "real/sub"), { recursive: true });
  for (const name of ["real/top", "real/sub/f"]) writeFileSync(join(root, name), "f");
  for (const name of ["link", "other"]) symlinkSync("real", join(root, name));
  const openAt = async (...directories: string[]) =>
    (await openDisk({ directories: directories.map((given) => parseDirectory(join(root, given))) })).sandbox();
  return { root, openAt };
}

test("hides denied paths from every operation", async () => {
  const { root, open } = world();
  for (const name of ["sub", "secrets", "secrets/deep", "open"]) mkdirSync(join(root, name));
  for (const name of [".env", "sub/.env.local", "secrets/deep/key", "open/key.pem", "open/f"])
    writeFileSync(join(root, name), "canary-hidden");
  symlinkSync("../.env", join(root, "open", "link"));
  symlinkSync("f", join(root, "open", ".env-link"));
  const sandbox = await open({ deny: ["**/.env*", "secrets", "*.pem"] });
  const missing = (await refusal(() => readText(sandbox, "secrets/none"))).message.replace("none", "deep/key");
  for (const path of [".env", "sub/.env.local", "secrets/deep/key", "open/key.pem", "open/link", "open/.env-link"]) {
    await refuses(
      "denied",
      ...looks(sandbox, path),
      () => writeText(sandbox, path, "x"),
      () => move(sandbox, path, "moved"),
      () => move(sandbox, "open/f", path, { overwrite: true }),
    );
  }
  expect((await refusal(() => readText(sandbox, "secrets/deep/key"))).message).toBe(missing);
  await refuses(
    "denied",
    () => makeFolder(sandbox, "secrets/new"),
    () => makeFolder(sandbox, "new/secrets"),
    () => writeText(sandbox, ".env.new", "x"),
  );
  await refuses("denied", () => move(sandbox, "sub", "sub2"));
  expect(sandbox.shows(join(root, "secrets"))).toBe(false);
  expect(sandbox.shows(join(root, "open"))).toBe(true);
  expect(readFileSync(join(root, "open", "f"), "utf8")).toBe("canary-hidden");
  for (const [glob, path] of [
    ["open/**", "open/f"],
    [join(root, "open"), "open/f"],
    ["./open/f", "open/f"],
    ["open/", "open/f"],
    ["**/open/**", "open/f"],
  ] as const) {
    const other = await open({ deny: [glob] });
    await refuses("denied", ...looks(other, path));
    expect(await read(other, ".env")).toBe("canary-hidden");
  }
});

test("refuses at the start a glob that hides nothing useful", async () => {
  const { open } = world();
  for (const glob of ["", "  ", "!**/*.md"]) await refuses("invalid", () => open({ deny: [glob] }));
});

test("keeps directories read-only, also in nested roots", async () => {
  const { root } = world();
  for (const name of ["lib", "lib/own"]) mkdirSync(join(root, name));
  for (const name of ["f", "lib/f", "lib/own/f"]) writeFileSync(join(root, name), "text");
  const directories = [
    { path: root, readOnly: false },
    { path: join(root, "lib"), readOnly: true },
    { path: join(root, "lib/own"), readOnly: false },
  ];
  const sandbox = (await openDisk({ directories })).sandbox();
  await refuses(
    "read-only",
    () => writeText(sandbox, join(root, "lib/f"), "x"),
    () => writeText(sandbox, join(root, "lib/new"), "x"),
    () => editText(sandbox, join(root, "lib/f"), [{ oldText: "text", newText: "x" }]),
    () => makeFolder(sandbox, join(root, "lib/a/b")),
    () => move(sandbox, join(root, "lib/f"), join(root, "g")),
    () => move(sandbox, join(root, "f"), join(root, "lib/g")),
  );
  await refuses(
    "invalid",
    () => move(sandbox, join(root, "lib"), join(root, "lib2")),
    () => move(sandbox, join(root, "lib/own"), join(root, "own")),
  );
  await writeText(sandbox, join(root, "lib/own/f"), "x");
  await writeText(sandbox, join(root, "f"), "x");
  expect((await editText(sandbox, join(root, "lib/f"), [{ oldText: "text", newText: "x" }], { dryRun: true })).applied).toBe(false);
  const twice = (
    await openDisk({
      directories: [
        { path: root, readOnly: false },
        { path: `${root}/`, readOnly: true },
      ],
    })
  ).sandbox();
  await refuses("read-only", () => writeText(twice, "f", "y"));
  const narrow = sandbox.narrowed([join(root, "lib")]);
  await refuses("read-only", () => writeText(narrow, join(root, "lib/f"), "x"));
  await writeText(narrow, join(root, "lib/own/f"), "y");
});

test("refuses to write to an allowed directory itself", async () => {
  const { root, open } = world();
  const sandbox = await open();
  for (const path of [root, `${root}/`, ".", "./"]) {
    const error = await refusal(() => writeText(sandbox, path, "x"));
    expect(error).toMatchObject({ code: "invalid", message: expect.stringContaining("below an allowed directory") as string });
  }
});

test("resolves a relative path in the first directory that has it, and a new one in the first", async () => {
  const { base } = world();
  for (const name of ["one", "two", "two/sub"]) mkdirSync(join(base, name));
  writeFileSync(join(base, "two", "f"), "two");
  writeFileSync(join(base, "two", "both"), "two");
  writeFileSync(join(base, "one", "both"), "one");
  const sandbox = (await openDisk({ directories: ["one", "two"].map((name) => ({ path: join(base, name), readOnly: false })) })).sandbox();
  expect(await read(sandbox, "f")).toBe("two");
  expect(await read(sandbox, "both")).toBe("one");
  await writeText(sandbox, "f", "changed");
  await writeText(sandbox, "new", "new");
  await writeText(sandbox, "sub/new", "new");
  expect(readFileSync(join(base, "two", "f"), "utf8")).toBe("changed");
  expect(readFileSync(join(base, "one", "new"), "utf8")).toBe("new");
  expect(readFileSync(join(base, "two", "sub", "new"), "utf8")).toBe("new");
  expect((await makeFolder(sandbox, "made/here")).path).toBe(join(base, "one", "made", "here"));
  using first = sandbox.folder(".");
  expect(first.path).toBe(join(base, "one"));
});

test("writes nothing at or below .git, unless the operator allows it", async () => {
  const { root, open } = world();
  mkdirSync(join(root, ".git", "hooks"), { recursive: true });
  mkdirSync(join(root, "repo"));
  mkdirSync(join(root, "other"));
  writeFileSync(join(root, ".git", "config"), "[core]");
  writeFileSync(join(root, "f"), "f");
  symlinkSync(".git", join(root, "alias"));
  symlinkSync(".git/config", join(root, "leaf"));
  const sandbox = await open();
  await refuses(
    "denied",
    () => writeText(sandbox, ".git/hooks/pre-commit", "x"),
    () => writeText(sandbox, "alias/config", "x"),
    () => writeText(sandbox, "leaf", "x"),
    () => writeText(sandbox, "repo/.git", "gitdir: /x"),
    () => editText(sandbox, ".git/config", [{ oldText: "core", newText: "x" }]),
    () => makeFolder(sandbox, "repo/.git/hooks"),
    () => move(sandbox, "repo", "other/.git"),
    () => move(sandbox, "repo", "other/../.git"),
    () => move(sandbox, "f", ".git/f"),
    () => move(sandbox, ".git", "git"),
    () => move(sandbox, ".git/config", "config"),
  );
  expect(await read(sandbox, ".git/config")).toBe("[core]");
  const allowed = await open({ writeGit: true });
  await writeText(allowed, ".git/config", "[user]");
  expect(readFileSync(join(root, ".git", "config"), "utf8")).toBe("[user]");
});

test("lists only the real children of an open directory", async () => {
  const { root, out, open } = world();
  mkdirSync(join(root, "real"));
  mkdirSync(join(root, "hidden"));
  writeFileSync(join(root, "f"), "");
  symlinkSync(out, join(root, "link"));
  const sandbox = await open({ deny: ["hidden"] });
  using folder = sandbox.folder(".");
  for (const name of ["f", "link", "hidden", "missing"]) expect(folder.child(name)).toBeUndefined();
  using child = folder.child("real");
  expect(child?.path).toBe(join(root, "real"));
  for (const name of ["..", ".", "", "a/b", "../OUT"]) expect(() => folder.at(name)).toThrow("one name without slashes");
});

test("reports metadata of files and directories", async () => {
  const { root, open } = world();
  writeFileSync(join(root, "f"), "\ufeffa\r\nb\r\n", { mode: 0o640 });
  writeFileSync(join(root, "bin"), Buffer.from([0x89, 0, 1, 2, 0xff]));
  symlinkSync("f", join(root, "l"));
  const sandbox = await open();
  expect(info(sandbox, "f")).toMatchObject({
    size: 9,
    isFile: true,
    isDirectory: false,
    isSymlink: false,
    permissions: "640",
    encoding: "utf-8",
    bom: true,
    lineEnding: "crlf",
    lines: 2,
  });
  expect(info(sandbox, "l")).toMatchObject({ isFile: true, isSymlink: true, etag: info(sandbox, "f").etag });
  expect(info(sandbox, "bin").encoding).toBeUndefined();
  expect(info(sandbox, ".")).toMatchObject({ isDirectory: true, isFile: false, isSymlink: false });
  expect(info(sandbox, root).modified).toBeInstanceOf(Date);
});

test("applies the same rules by name on systems without /proc", async () => {
  const { root, out, open } = world();
  mkdirSync(join(root, "a"));
  writeFileSync(join(root, "a", "f"), "fine");
  symlinkSync(out, join(root, "d"));
  symlinkSync("a", join(root, "cur"));
  const sandbox = await open({ handles: portableHandles });
  expect(await read(sandbox, "cur/f")).toBe("fine");
  await refuses(
    "denied",
    ...looks(sandbox, "d/secret.txt"),
    ...looks(sandbox, "../OUT/secret.txt"),
    () => writeText(sandbox, "d/x", "x"),
    () => makeFolder(sandbox, "d/x/y"),
  );
  await refuses("not-a-folder", () => readText(sandbox, "a/f/"));
  await writeText(sandbox, "cur/g", "g");
  await editText(sandbox, "a/g", [{ oldText: "g", newText: "h" }]);
  await makeFolder(sandbox, "new/deep");
  await move(sandbox, "a/g", "new/deep/g");
  expect(readFileSync(join(root, "new/deep/g"), "utf8")).toBe("h");
  using folder = sandbox.folder("a");
  expect(folder.child("f")).toBeUndefined();
});
