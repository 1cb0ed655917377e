// What differs between operating systems: both answers, on every machine.
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { emptyFolder, homeFolder, systemPath, systemVariables, userVariables, variableOf, type HostEnvironment } from "../src/platform.ts";

const windows = (env: HostEnvironment = {}) => ({ platform: "win32", env }) as const;
const linux = (env: HostEnvironment = {}) => ({ platform: "linux", env }) as const;

test("finds a variable in any case on Windows, and only as written elsewhere", () => {
  expect(variableOf(windows({ Path: "C:\\bin" }), "PATH")).toBe("C:\\bin");
  expect(variableOf(windows({ PATH: "a", Path: "b" }), "PATH")).toBe("a");
  expect(variableOf(linux({ Path: "/bin" }), "PATH")).toBeUndefined();
});

test("follows SystemRoot to the programs of Windows", () => {
  expect(systemPath(windows({ SYSTEMROOT: "D:\\Win" }))).toBe("D:\\Win\\System32");
  expect(systemPath(windows())).toBe("C:\\Windows\\System32");
  expect(systemPath(linux())).toBe("/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin");
  expect(systemVariables(windows({ SystemRoot: "D:\\Win", Temp: "D:\\t", TMP: "D:\\t2", SECRET: "s" }))).toEqual({
    SystemRoot: "D:\\Win",
    TEMP: "D:\\t",
    TMP: "D:\\t2",
  });
  expect(systemVariables(linux({ TEMP: "/t" }))).toEqual({});
});

test("names an empty folder that no other user can write to", () => {
  expect(emptyFolder(windows({ SystemRoot: "D:\\Win" }))).toBe("D:\\Win\\System32\\oarlock-none");
  expect(emptyFolder(linux())).toBe("/dev/null");
});

test("finds the home folder as Git for Windows does", () => {
  const share = { HOMEDRIVE: "H:", HOMEPATH: "\\ann", USERPROFILE: "C:\\Users\\ann" };
  const isConnected = (path: string): boolean => path === "H:\\ann";
  expect(homeFolder(windows({ ...share, HOME: "C:\\h" }), isConnected)).toBe("C:\\h");
  expect(homeFolder(windows(share), isConnected)).toBe("H:\\ann");
  expect(homeFolder(windows(share), () => false)).toBe("C:\\Users\\ann");
  expect(homeFolder(windows({ HOMEDRIVE: "C:", HOMEPATH: "\\Windows\\System32", USERPROFILE: "C:\\U" }), () => true)).toBe("C:\\U");
  expect(homeFolder(linux({ ...share, HOME: "/home/ann" }), () => true)).toBe("/home/ann");
});

test("passes programs the folders that they look for on Windows", () => {
  const env = {
    USERPROFILE: "C:\\Users\\ann",
    AppData: "C:\\a",
    LOCALAPPDATA: "C:\\l",
    PROGRAMDATA: "C:\\p",
    comspec: "cmd",
    PathExt: ".EXE",
    SECRET: "s",
  };
  expect(userVariables(windows(env))).toEqual({
    USERPROFILE: "C:\\Users\\ann",
    APPDATA: "C:\\a",
    LOCALAPPDATA: "C:\\l",
    ProgramData: "C:\\p",
    ComSpec: "cmd",
    PATHEXT: ".EXE",
    HOME: "C:\\Users\\ann",
    XDG_CONFIG_HOME: "",
  });
  expect(userVariables(linux({ ...env, HOME: "/h", XDG_CONFIG_HOME: "/x" }))).toEqual({ HOME: "/h", XDG_CONFIG_HOME: "/x" });
});

test("is the only source that reads the platform, and uses no null device of the system", () => {
  const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");
  const sources = readdirSync(new URL("../src/", import.meta.url), { recursive: true, encoding: "utf8" }).filter((path) =>
    path.endsWith(".ts"),
  );
  expect(sources.length).toBeGreaterThan(100);
  expect(sources.filter((path) => /process\.platform|devNull/.test(read(`../src/${path}`)))).toEqual(["platform.ts"]);
  expect(read("support/repository.ts")).not.toContain("devNull");
});
