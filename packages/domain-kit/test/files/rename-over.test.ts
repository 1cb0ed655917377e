// Renames over a file that another program has open, with the answers of each platform.
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import {
  isInUse,
  isLinkUnsupported,
  renameOver,
  renameToFreeName,
  retryWhileInUse,
  takeFreeName,
  TemporaryFile,
  type NameCalls,
} from "../../src/index.ts";

afterEach(() => void vi.useRealTimers());

function folderWith(files: Record<string, string>) {
  const path = mkdtempSync(join(tmpdir(), "rename-over-"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
  return {
    path,
    at: (name: string) => join(path, name),
    text: (name: string) => readFileSync(join(path, name), "utf8"),
    [Symbol.dispose]: () => rmSync(path, { recursive: true }),
  };
}

const failure = (code: string): Error => Object.assign(new Error(code), { code });
const refuse = (code: string) => (): never => {
  throw failure(code);
};

/** Renames that fail with these codes first. */
function renaming(on: NodeJS.Platform, codes: string[], link: NameCalls["link"] = refuse("EPERM")) {
  let calls = 0;
  const rename = (from: string, to: string): void => {
    calls += 1;
    const code = codes.shift();
    if (code !== undefined) throw failure(code);
    renameSync(from, to);
  };
  return { platform: on, rename, link, count: () => calls };
}

test("replaces a file on Windows as soon as no other program has it open", async () => {
  using folder = folderWith({ new: "new", old: "old" });
  const calls = renaming("win32", ["EPERM", "EBUSY", "EACCES"]);
  await renameOver(folder.at("new"), folder.at("old"), calls);
  expect([calls.count(), folder.text("old"), readdirSync(folder.path)]).toEqual([4, "new", ["old"]]);
});

test.each(["linux", "darwin"] as const)("tries once on %s, whatever the error", async (on) => {
  using folder = folderWith({ new: "new", old: "old" });
  for (const code of ["EPERM", "EACCES", "EBUSY"]) {
    const calls = renaming(on, [code]);
    await expect(renameOver(folder.at("new"), folder.at("old"), calls)).rejects.toMatchObject({ code });
    expect([calls.count(), folder.text("old")]).toEqual([1, "old"]);
    expect(isInUse(failure(code), on)).toBe(false);
  }
});

test("keeps a file that changes while another program has it open", async () => {
  using folder = folderWith({ new: "new", old: "old" });
  const calls = renaming("win32", ["EBUSY", "EBUSY"]);
  const mayReplace = (): boolean => {
    const isUnchanged = folder.text("old") === "old";
    if (calls.count() === 1) writeFileSync(folder.at("old"), "theirs");
    return isUnchanged;
  };
  expect(await renameOver(folder.at("new"), folder.at("old"), calls, mayReplace)).toBe(false);
  expect([calls.count(), folder.text("old"), folder.text("new")]).toEqual([2, "theirs", "new"]);
});

test("stops after two seconds, and throws what the system reported last", async () => {
  vi.useFakeTimers();
  const times: number[] = [];
  const begun = Date.now();
  const act = (): never => {
    times.push(Date.now() - begun);
    throw failure("EBUSY");
  };
  const ended = retryWhileInUse(act, "win32").catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  expect(await ended).toMatchObject({ code: "EBUSY" });
  expect(times).toEqual([0, 10, 30, 70, 150, 310, 630, 1270, 2000]);
});

test.each(["ENOENT", "EXDEV", "ENOSPC", "EEXIST"])("gives up on Windows after %s", async (code) => {
  const calls = renaming("win32", [code]);
  await expect(renameOver("/none/a", "/none/b", calls)).rejects.toMatchObject({ code });
  expect(calls.count()).toBe(1);
});

test.each([
  ["a directory", (path: string) => mkdirSync(path)],
  ["a file with the attribute read-only", (path: string) => (writeFileSync(path, "old"), chmodSync(path, 0o444))],
])("does not wait for %s, which Windows never replaces", async (_, make) => {
  using folder = folderWith({ new: "new" });
  make(folder.at("old"));
  const calls = renaming("win32", ["EPERM", "EPERM"]);
  await expect(renameOver(folder.at("new"), folder.at("old"), calls)).rejects.toMatchObject({ code: "EPERM" });
  expect(calls.count()).toBe(1);
});

// CreateHardLink on FAT and exFAT: ERROR_INVALID_FUNCTION, EISDIR in libuv. macOS on exFAT: ENOTSUP. Some shares: EINVAL or UNKNOWN.
test.each(["EISDIR", "EINVAL", "UNKNOWN", "EPERM", "ENOTSUP", "EMLINK"])(
  "takes a free name by a rename when link answers %s",
  async (code) => {
    using folder = folderWith({ new: "new", taken: "taken" });
    expect(isLinkUnsupported(failure(code))).toBe(true);
    const calls = renaming("win32", ["EBUSY"], refuse(code));
    expect(await takeFreeName(folder.at("new"), folder.at("free"), calls)).toBe("renamed");
    expect([folder.text("free"), readdirSync(folder.path)]).toEqual(["new", ["free", "taken"]]);
    await expect(takeFreeName(folder.at("free"), folder.at("taken"), calls)).rejects.toMatchObject({ code: "EEXIST" });
    expect(folder.text("taken")).toBe("taken");
  },
);

test.each(["EEXIST", "ENOSPC", "ENOENT", "EXDEV"])("throws when link answers %s", async (code) => {
  using folder = folderWith({ new: "new" });
  expect(isLinkUnsupported(failure(code))).toBe(false);
  await expect(takeFreeName(folder.at("new"), folder.at("free"), renaming("linux", [], refuse(code)))).rejects.toMatchObject({ code });
  expect(isLinkUnsupported(new Error("no code"))).toBe(false);
});

test("renames to a free name, and never over a file or a link", async () => {
  using folder = folderWith({ new: "new", taken: "taken" });
  symlinkSync(folder.at("taken"), folder.at("link"));
  symlinkSync(folder.at("none"), folder.at("dangling"));
  for (const name of ["taken", "link", "dangling"])
    await expect(renameToFreeName(folder.at("new"), folder.at(name))).rejects.toMatchObject({ code: "EEXIST" });
  await renameToFreeName(folder.at("new"), folder.at("free"));
  expect([folder.text("free"), folder.text("taken"), readdirSync(folder.path).toSorted()]).toEqual([
    "new",
    "taken",
    ["dangling", "free", "link", "taken"],
  ]);
});

test("leaves no empty file when the rename to a free name fails", async () => {
  using folder = folderWith({ new: "new" });
  const calls = renaming("linux", ["EIO"], refuse("EPERM"));
  await expect(takeFreeName(folder.at("new"), folder.at("free"), calls)).rejects.toMatchObject({ code: "EIO" });
  expect(readdirSync(folder.path)).toEqual(["new"]);
});

test("removes a temporary file whose rename fails", async () => {
  using folder = folderWith({ old: "old" });
  const write = async (replace: (file: TemporaryFile) => unknown): Promise<void> => {
    using file = new TemporaryFile(folder, { calls: renaming("linux", ["EIO"]) });
    await file.write("new");
    await replace(file);
  };
  await expect(write((file) => file.replace("old"))).rejects.toMatchObject({ code: "EIO" });
  await expect(write((file) => file.replaceNow("old"))).rejects.toMatchObject({ code: "EIO" });
  expect([folder.text("old"), readdirSync(folder.path)]).toEqual(["old", ["old"]]);
});
