// Where git is looked for, on each platform.
import { expect, test } from "vitest";
import type { HostEnvironment } from "../../../src/platform.ts";
import { findGit } from "../../../src/repo/process/git-program.ts";

const find = (platform: NodeJS.Platform, env: HostEnvironment, ...there: string[]) =>
  findGit({ platform, env }, (path) => there.includes(path));

const GIT = "C:\\Program Files\\Git";

test.each(["clangarm64", "mingw64", "mingw32"])("prefers the git in %s to the launcher of it", (folder) => {
  const program = `${GIT}\\${folder}\\bin\\git.exe`;
  expect(find("win32", {}, `${GIT}\\cmd\\git.exe`, program)).toBe(program);
  expect(find("win32", {}, `${GIT}\\cmd\\git.exe`)).toBe(`${GIT}\\cmd\\git.exe`);
});

test.each([
  ["ProgramFiles", "D:\\Programs", "D:\\Programs\\Git"],
  ["ProgramW6432", "D:\\Programs", "D:\\Programs\\Git"],
  ["PROGRAMFILES(X86)", "D:\\x86", "D:\\x86\\Git"],
  ["LocalAppData", "C:\\Users\\ann\\AppData\\Local", "C:\\Users\\ann\\AppData\\Local\\Programs\\Git"],
])("finds the installation below %s", (name, value, root) => {
  const program = `${root}\\mingw64\\bin\\git.exe`;
  expect(find("win32", { [name]: value }, program)).toBe(program);
});

test.each(["cmd", "bin", "CMD"])("finds the git behind that of PATH in a folder %s", (folder) => {
  const env = { Path: `relative;E:\\tools;E:\\Git\\${folder}` };
  const shim = `E:\\Git\\${folder}\\git.exe`;
  expect(find("win32", env, shim)).toBe(shim);
  expect(find("win32", env, shim, "E:\\Git\\mingw64\\bin\\git.exe")).toBe("E:\\Git\\mingw64\\bin\\git.exe");
  expect(find("win32", env, "E:\\tools\\git.exe", shim)).toBe("E:\\tools\\git.exe");
  expect(find("win32", env, "E:\\mingw64\\bin\\git.exe")).toBeUndefined();
});

test.each([
  "/Library/Developer/CommandLineTools/usr/bin/git",
  "/var/db/xcode_select_link/usr/bin/git",
  "/Applications/Xcode.app/Contents/Developer/usr/bin/git",
])("takes /usr/bin/git of macOS with %s, and not when no git is behind it", (tool) => {
  expect(find("darwin", { PATH: "/usr/bin" }, "/usr/bin/git", tool)).toBe("/usr/bin/git");
  expect(find("darwin", { PATH: "/usr/bin" }, "/usr/bin/git")).toBeUndefined();
  expect(find("darwin", { PATH: "/usr/bin:/nix/bin" }, "/usr/bin/git", "/nix/bin/git")).toBe("/nix/bin/git");
  expect(find("darwin", {}, "/usr/bin/git", "/opt/homebrew/bin/git", tool)).toBe("/opt/homebrew/bin/git");
});

test("takes the usual paths of Linux before PATH, and any folder of PATH elsewhere", () => {
  expect(find("linux", { PATH: "/home/ann/bin" }, "/home/ann/bin/git", "/usr/bin/git")).toBe("/usr/bin/git");
  expect(find("linux", { PATH: "bin:/home/ann/bin" }, "/home/ann/bin/git")).toBe("/home/ann/bin/git");
  expect(find("freebsd", { PATH: "" }, "/usr/local/bin/git")).toBe("/usr/local/bin/git");
});
