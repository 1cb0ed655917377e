/** One name in several spellings, on file systems that ignore case, compose letters or have short names: no boundary is passed by one. */
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Sandbox } from "../../../../src/disk/access/sandbox.ts";
import { editText } from "../../../../src/disk/edit/file-editor.ts";
import { readText } from "../../../../src/disk/read/text-reader.ts";
import { copy } from "../../../../src/disk/transfer/copy.ts";
import { deletePath } from "../../../../src/disk/transfer/delete.ts";
import { move } from "../../../../src/disk/transfer/move.ts";
import { makeFolder } from "../../../../src/disk/write/directory-maker.ts";
import { writeText } from "../../../../src/disk/write/text-writer.ts";
import { apfs, emulatedHandles, ntfs } from "../../support/emulated-file-system.ts";
import { looks } from "../../support/operations.ts";
import { refusal, refuses, world } from "../../support/world.ts";

const apfsNames = {
  folder: "r\u00e9f",
  folders: ["R\u00c9F", "re\u0301f"],
  file: "secrets.env",
  files: ["SECRETS.env", "\u017fecrets.env"],
};

const SYSTEMS = [
  {
    system: "NTFS",
    handles: emulatedHandles(ntfs),
    names: {
      folder: "reference",
      folders: ["REFERENCE", "REFERE~1", "refere~1"],
      file: "secrets.environment",
      files: ["SECRETS.environment", "SECRET~1.ENV"],
    },
  },
  { system: "APFS", handles: emulatedHandles(apfs), names: apfsNames },
  { system: "a file system whose paths are as looked up", handles: emulatedHandles(apfs, { realPath: "as looked up" }), names: apfsNames },
];

describe.each(SYSTEMS)("on $system", ({ handles, names: { folder, folders, file, files } }) => {
  /** A root with a folder for reading only and a hidden file. */
  function boundaries() {
    const { root, open } = world();
    const [inner, hidden] = [join(root, folder), join(root, file)];
    mkdirSync(join(inner, "deep"), { recursive: true });
    writeFileSync(join(inner, "a"), "a");
    writeFileSync(hidden, "hidden text");
    writeFileSync(join(root, "plain.txt"), "plain");
    const directories = [
      { path: root, readOnly: false },
      { path: inner, readOnly: true },
    ];
    return { root, inner, hidden, open: (deny: string[] = []) => open({ directories, handles, deny }) };
  }

  test.each(folders)("keeps DIR:ro read-only as %s", async (spelling) => {
    const { root, inner, open } = boundaries();
    const at = join(root, spelling);
    for (const sandbox of [await open(), await open(["no-such-name"])]) {
      expect((await readText(sandbox, join(at, "a"))).content).toBe("a");
      await refuses(
        "read-only",
        () => writeText(sandbox, join(at, "a"), "x"),
        () => writeText(sandbox, join(at, "new"), "x"),
        () => writeText(sandbox, join(at, "new/er"), "x", { createDirectories: true }),
        () => editText(sandbox, join(at, "a"), [{ oldText: "a", newText: "b" }]),
        () => makeFolder(sandbox, join(at, "new")),
        () => makeFolder(sandbox, join(at, "DEEP/new")),
        () => move(sandbox, join(root, "plain.txt"), join(at, "moved")),
        () => move(sandbox, join(at, "a"), join(root, "moved")),
        () => copy(sandbox, join(root, "plain.txt"), join(at, "copied")),
        () => deletePath(sandbox, join(at, "a"), {}),
      );
      // The directory itself is neither moved nor removed.
      await refuses(
        "invalid",
        () => deletePath(sandbox, at, { recursive: true }),
        () => move(sandbox, at, join(root, "moved")),
      );
    }
    expect(readdirSync(inner)).toEqual(["a", "deep"]);
    expect(readFileSync(join(inner, "a"), "utf8")).toBe("a");
  });

  test.each(files)("hides a hidden file as %s", async (spelling) => {
    const { root, hidden, open } = boundaries();
    const sandbox = await open([file]);
    const at = join(root, spelling);
    await refuses(
      "denied",
      ...looks(sandbox, at),
      () => writeText(sandbox, at, "x"),
      () => writeText(sandbox, at, "x", { mode: "append" }),
      () => editText(sandbox, at, [{ oldText: "hidden", newText: "seen" }]),
      () => move(sandbox, at, join(root, "open.txt")),
      () => move(sandbox, join(root, "plain.txt"), at, { overwrite: true }),
      () => copy(sandbox, at, join(root, "open.txt")),
      () => copy(sandbox, join(root, "plain.txt"), at, { overwrite: true }),
      () => deletePath(sandbox, at, {}),
    );
    expect(readFileSync(hidden, "utf8")).toBe("hidden text");
    expect(readdirSync(root).includes("open.txt")).toBe(false);
  });

  test.each(folders)("reveals nothing of a hidden directory by %s", async (spelling) => {
    const { root, open } = boundaries();
    const sandbox = await open([folder]);
    const say = async (name: string): Promise<string> =>
      (await refusal(() => readText(sandbox, join(root, spelling, name)))).message.replace(`/${name}`, "/NAME");
    expect(await say("a")).toBe(await say("missing"));
    expect(await say("a/b")).toBe(await say("missing"));
    await refuses("denied", ...looks(sandbox, join(root, spelling, "a")), ...looks(sandbox, join(root, spelling, "missing")));
  });

  test.each(folders)("protects the target of a link of git as %s", async (spelling) => {
    const { root, open } = world();
    mkdirSync(join(root, folder));
    mkdirSync(join(root, ".git"));
    symlinkSync(join(root, folder), join(root, ".git/hooks"));
    const sandbox = await open({ handles });
    await refuses("denied", () => writeText(sandbox, join(root, spelling, "pre-commit"), "x"));
    expect(readdirSync(join(root, folder))).toEqual([]);
  });

  test.each(files)("keeps the name of a file that is overwritten as %s", async (spelling) => {
    const { root, hidden, open } = boundaries();
    const sandbox = await open();
    expect(await writeText(sandbox, join(root, spelling), "new")).toMatchObject({ path: hidden, created: false });
    expect(readFileSync(hidden, "utf8")).toBe("new");
    expect(readdirSync(root)).toEqual(["plain.txt", folder, file].toSorted());
  });

  test.each(files)("changes the spelling by a move onto itself as %s, without loss", async (spelling) => {
    const { root, hidden, open } = boundaries();
    const sandbox: Sandbox = await open();
    const respelled = join(root, spelling);
    expect(await move(sandbox, hidden, respelled)).toMatchObject({ from: hidden, to: respelled, overwritten: false });
    expect(readFileSync(respelled, "utf8")).toBe("hidden text");
    expect(readdirSync(root)).toEqual(["plain.txt", folder, spelling].toSorted());
    const back = { from: respelled, to: hidden, overwritten: false, undo: undefined };
    if (spelling.toLowerCase() === file.toLowerCase())
      expect(await move(sandbox, respelled, hidden, { overwrite: true })).toMatchObject(back);
    else await move(sandbox, respelled, hidden);
    expect(readFileSync(hidden, "utf8")).toBe("hidden text");
    await refuses("exists", () => move(sandbox, hidden, hidden));
  });

  test("refuses to move or copy a directory into itself by another spelling", async () => {
    const { root, open } = world();
    mkdirSync(join(root, folder));
    writeFileSync(join(root, folder, "a"), "a");
    const sandbox = await open({ handles });
    for (const spelling of folders) {
      await refuses(
        "invalid",
        () => move(sandbox, join(root, folder), join(root, spelling, "b")),
        () => copy(sandbox, join(root, folder), join(root, spelling, "b"), { recursive: true }),
      );
      await refuses("exists", () => copy(sandbox, join(root, folder), join(root, spelling), { recursive: true }));
    }
    expect(readdirSync(join(root, folder))).toEqual(["a"]);
  });
});
