// The environment of git on each platform: the null device by git's own name, folders of the real system, and no network, whatever a
// repository says.
import { expect, test } from "vitest";
import type { Machine } from "../../../src/platform.ts";
import { environmentWithoutRepository, newRepositoryEnvironment, repositoryEnvironment } from "../../../src/repo/process/environment.ts";
import { networkEnvironmentFrom } from "../../../src/repo/remote/network.ts";

const FOLDERS = { gitDir: "/r/.git", workTree: "/r" };
const WINDOWS: Machine = {
  platform: "win32",
  env: { SYSTEMROOT: "D:\\Win", Temp: "D:\\t", TMP: "D:\\t", Path: "C:\\bin", USERPROFILE: "C:\\Users\\ann", GIT_DIR: "x", SECRET: "s" },
};
const MACHINES: readonly Machine[] = [
  WINDOWS,
  ...(["linux", "darwin"] as const).map((platform) => ({ platform, env: { TZ: "UTC", TEMP: "/t" } })),
];
const GIT = "C:\\Git\\mingw64\\bin\\git.exe";

const environments = (machine: Machine) => [
  repositoryEnvironment(GIT, FOLDERS, [], machine),
  environmentWithoutRepository(GIT, machine),
  newRepositoryEnvironment(GIT, [], machine),
];

/** The settings that count, by their keys. */
const settingsOf = (env: Readonly<Record<string, string>>): Record<string, string | undefined> =>
  Object.fromEntries(
    Array.from({ length: Number(env["GIT_CONFIG_COUNT"]) }, (_, at) => [env[`GIT_CONFIG_KEY_${at}`], env[`GIT_CONFIG_VALUE_${at}`]]),
  );

test("GIT-27 V6 allows only a protocol that no address and no repository can name", () => {
  for (const env of [
    repositoryEnvironment("git", FOLDERS),
    environmentWithoutRepository("git"),
    newRepositoryEnvironment("git"),
    networkEnvironmentFrom([], { protocols: [], env: {} }).env,
  ]) {
    // git takes letters, digits, "+", "-" and "." before "::" as a name; the empty name counts, too.
    expect(env["GIT_ALLOW_PROTOCOL"]).toMatch(/^none\/[0-9a-f-]{36}$/);
  }
  expect(networkEnvironmentFrom([], { protocols: ["https", "ssh"], env: {} }).env["GIT_ALLOW_PROTOCOL"]).toBe("https:ssh");
});

test.each(MACHINES.map((machine) => [machine.platform, machine] as const))(
  "names the null device on %s as git does",
  (_platform, machine) => {
    for (const env of environments(machine)) {
      expect(Object.values(env).filter((value) => /^\\\\\.\\|^nul$/i.test(value))).toEqual([]);
      expect(env).toMatchObject({ GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" });
      expect(settingsOf(env)).toMatchObject({ "core.excludesFile": "/dev/null", "core.attributesFile": "/dev/null" });
    }
  },
);

test("finds system, temporary files and libraries on Windows, and no folder that another user can fill", () => {
  const none = "D:\\Win\\System32\\oarlock-none";
  for (const env of environments(WINDOWS)) {
    expect(env).toMatchObject({
      PATH: "C:\\Git\\mingw64\\bin;D:\\Win\\System32",
      SystemRoot: "D:\\Win",
      TEMP: "D:\\t",
      TMP: "D:\\t",
      HOME: none,
      XDG_CONFIG_HOME: none,
      GIT_GRAFT_FILE: `${none}/none`,
    });
    expect(settingsOf(env)).toMatchObject({ "core.hooksPath": none, "core.protectNTFS": "true" });
    // Below this name of a device there may be files on Windows.
    expect(Object.values(env).filter((value) => value.startsWith("/dev/null/"))).toEqual([]);
    expect(env).not.toHaveProperty("SECRET");
    expect(env).not.toHaveProperty("USERPROFILE");
  }
  expect(environmentWithoutRepository(GIT, WINDOWS)["GIT_DIR"]).toBe(none);
});

test("keeps the environment of Linux as it was, and protects names of HFS+ on macOS", () => {
  const [linux, macos] = (["linux", "darwin"] as const).map((platform) =>
    repositoryEnvironment("/usr/bin/git", FOLDERS, [], { platform, env: { TZ: "UTC", TEMP: "/t" } }),
  );
  const home = { PATH: "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", HOME: "/dev/null", XDG_CONFIG_HOME: "/dev/null", TZ: "UTC" };
  expect(linux).toMatchObject({ ...home, GIT_GRAFT_FILE: "/dev/null/none", GIT_DIR: "/r/.git", GIT_WORK_TREE: "/r" });
  expect(macos).toMatchObject(home);
  expect(linux).not.toHaveProperty("TEMP");
  expect(settingsOf(linux ?? {})).toMatchObject({ "core.hooksPath": "/dev/null" });
  expect(settingsOf(linux ?? {})).not.toHaveProperty("core.protectHFS");
  expect(settingsOf(macos ?? {})).toMatchObject({ "core.hooksPath": "/dev/null", "core.protectHFS": "true" });
});

test("passes network programs the user's folders on Windows under the names that they read", () => {
  const env = { ...WINDOWS.env, AppData: "C:\\a", LOCALAPPDATA: "C:\\l", ProgramData: "C:\\p", Https_Proxy: "http://proxy" };
  expect(networkEnvironmentFrom([], { protocols: [], env }, "win32").env).toMatchObject({
    PATH: "C:\\bin",
    HOME: "C:\\Users\\ann",
    USERPROFILE: "C:\\Users\\ann",
    APPDATA: "C:\\a",
    LOCALAPPDATA: "C:\\l",
    ProgramData: "C:\\p",
    HTTPS_PROXY: "http://proxy",
  });
  expect(networkEnvironmentFrom([], { protocols: [], env: { ...env, HOME: "/h" } }, "linux").env).not.toHaveProperty("APPDATA");
});
