// Folder handles: the folder that was opened is the one that is used, whatever its name leads to later.
import {
  closeSync,
  constants,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { needs } from "../../../testing/src/checks/needs.ts";
import { HeldFolder, linuxHandles, portableHandles, systemErrorCode } from "../../src/index.ts";

const codeOf = (act: () => unknown): string | undefined => {
  try {
    act();
  } catch (error) {
    return systemErrorCode(error);
  }
  return undefined;
};
const openPaths = (): string[] =>
  readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return []; // that of the list itself
    }
  });
const systems =
  process.platform === "linux"
    ? ([
        ["Linux", linuxHandles],
        ["portable", portableHandles],
      ] as const)
    : ([["portable", portableHandles]] as const);

describe.each(systems)("a folder handle (%s)", (name, handles) => {
  function world() {
    const path = mkdtempSync(join(tmpdir(), "held-"));
    const folder = { at: (name: string) => join(path, name), [Symbol.dispose]: () => rmSync(path, { recursive: true }) };
    mkdirSync(folder.at("root/d/e"), { recursive: true });
    mkdirSync(folder.at("out/e"), { recursive: true });
    writeFileSync(folder.at("root/d/f"), "inside");
    writeFileSync(folder.at("out/f"), "outside");
    return { folder, root: realpathSync(folder.at("root")) };
  }

  /** Puts a link in the place of the folder d. */
  function swap({ at }: { at(name: string): string }): void {
    renameSync(at("root/d"), at("root/moved"));
    symlinkSync(at("out"), at("root/d"));
  }

  test("reads its entries", () => {
    const { folder, root } = world();
    using _ = folder;
    using handle = HeldFolder.open(root, handles);
    using d = handle.descend(["d", "", "e"]);
    expect(d.path).toBe(`${root}/d/e`);
    using same = handle.descend([]);
    expect(readdirSync(same.self)).toEqual(["d"]);
    using child = handle.child("d");
    const file = child.openFile("f");
    expect(readFileSync(file, "utf8")).toBe("inside");
    closeSync(file);
  });

  test("follows no link, in its own path too", () => {
    const { folder, root } = world();
    using _ = folder;
    using handle = HeldFolder.open(root, handles);
    swap(folder);
    symlinkSync(folder.at("out/f"), folder.at("root/link"));
    expect(codeOf(() => handle.child("d"))).toBe("ENOTDIR");
    expect(codeOf(() => HeldFolder.open(`${root}/d/e`, handles))).toBe("ENOTDIR");
    expect(codeOf(() => handle.openFile("link"))).toBe("ELOOP");
    expect(codeOf(() => handle.openFile("d"))).toBe("ELOOP");
    expect(codeOf(() => handle.openFile("moved"))).toBe("EINVAL");
    expect(codeOf(() => handle.child("none"))).toBe("ENOENT");
    for (const odd of ["", ".", "..", "a/b", "a\0b"]) expect(() => handle.at(odd)).toThrow("Expected one name");
  });

  test("never leads to an entry that took the folder's name", () => {
    const { folder, root } = world();
    using _ = folder;
    using handle = HeldFolder.open(`${root}/d`, handles);
    const { reference } = handle;
    swap(folder);
    if (name === "Linux") {
      const file = handle.openFile("f");
      expect(readFileSync(file, "utf8")).toBe("inside");
      closeSync(file);
      expect(readdirSync(handle.self).toSorted()).toEqual(["e", "f"]);
    } else
      for (const act of [() => handle.openFile("f"), () => handle.at("f"), () => handle.self, () => handle.child("e")])
        expect(act).toThrow(/ENOTDIR|ENOENT|replaced/);
    expect(codeOf(() => HeldFolder.reopen(reference))).toBe("ENOTDIR");
    expect(codeOf(() => HeldFolder.reopen({ ...reference, path: `${root}/moved/e` }))).toBe("conflict");
    using again = HeldFolder.reopen({ ...reference, path: `${root}/moved` });
    expect(readdirSync(again.self)).toContain("f");
  });

  test("cannot be used after close", () => {
    const { folder, root } = world();
    using _ = folder;
    const handle = HeldFolder.open(root, handles);
    handle[Symbol.dispose]();
    expect(() => handle.at("d")).toThrow("Folder is closed");
  });
});

test("closes a file whose folder is no longer readable", needs("Linux"), () => {
  const temporary = mkdtempSync(join(realpathSync(tmpdir()), "held-"));
  using _ = { [Symbol.dispose]: () => rmSync(temporary, { recursive: true }) };
  const path = join(temporary, "f");
  writeFileSync(path, "");
  const handle = portableHandles.step(portableHandles.base(temporary), "f");
  vi.spyOn(handle, "isInPlace").mockImplementation(() => {
    throw new Error("EACCES");
  });
  expect(() => handle.open(constants.O_RDONLY)).toThrow("EACCES");
  expect(openPaths()).not.toContain(path);
});
