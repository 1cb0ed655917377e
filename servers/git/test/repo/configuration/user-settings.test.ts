// Which settings of the machine and the user reach git, and which do not; the same table stands in docs/security.md.
import { readFileSync } from "node:fs";
import { tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { PROGRAM_VARIABLES, userVariables } from "../../../src/platform.ts";
import { environmentWithoutRepository } from "../../../src/repo/process/environment.ts";
import { UserConfigReader } from "../../../src/repo/configuration/user-config.ts";
import {
  reaches,
  settingsForEveryCommand,
  settingsForNewRepository,
  USER_SETTINGS,
} from "../../../src/repo/configuration/user-settings.ts";
import { networkEnvironmentFrom } from "../../../src/repo/remote/network.ts";
import { filterSettings } from "../../../src/repo/safety/filter-programs.ts";
import { riskOf } from "../../../src/repo/safety/settings/setting-risk.ts";

const entry = (key: string, value: string | undefined = "x") => ({ key, value });

test("passes the last value of each key that the repository does not set itself", () => {
  const entries = [
    entry("core.autocrlf", "false"),
    entry("core.autocrlf", "input"),
    entry("core.eol", "lf"),
    entry("core.longpaths", undefined),
  ];
  expect(settingsForEveryCommand(entries)).toEqual([
    ["core.autocrlf", "input"],
    ["core.eol", "lf"],
    ["core.longpaths", "x"],
  ]);
  expect(settingsForEveryCommand(entries, ["core.autocrlf", "core.longpaths"])).toEqual([["core.eol", "lf"]]);
  expect(settingsForEveryCommand([{ key: "core.longpaths", value: undefined }])).toEqual([["core.longpaths", "true"]]);
});

test("passes a protection setting only when its value protects", () => {
  const passed = (value: string | undefined) => settingsForEveryCommand([{ key: "core.protectntfs", value }]).length;
  expect(["true", "yes", "ON", "1", undefined].map(passed)).toEqual([1, 1, 1, 1, 1]);
  expect(["false", "no", "off", "0", "", "2"].map(passed)).toEqual([0, 0, 0, 0, 0, 0]);
});

test("leaves settings that git detects to a new repository", () => {
  const entries = [entry("core.filemode"), entry("core.ignorecase"), entry("core.precomposeunicode"), entry("core.symlinks", "true")];
  expect(settingsForNewRepository(entries)).toEqual([["core.symlinks", "true"]]);
});

test("L3 lets only named settings into a command, which start nothing and choose no network", () => {
  const every = USER_SETTINGS.filter(({ reach }) => reach === "every command").flatMap(({ keys }) => keys.split(" "));
  expect(every.filter((key) => !/^core\.[a-z]+$/.test(key))).toEqual([]);
  expect(every.map((key) => riskOf(key, "true"))).toEqual(every.map(() => "harmless"));
  for (const key of ["core.hookspath", "core.fsmonitor", "core.pager", "core.editor", "core.attributesfile", "core.excludesfile"])
    expect(settingsForEveryCommand([entry(key)])).toEqual([]);
  for (const key of [
    "alias.st",
    "include.path",
    "diff.external",
    "merge.x.driver",
    "diff.x.textconv",
    "init.templatedir",
    "safe.directory",
  ])
    expect(USER_SETTINGS.filter(({ reach }) => reaches(reach, key))).toEqual([]);
});

test("gives networks and filters the settings of their rows", () => {
  const keys = [
    "credential.helper",
    "http.sslbackend",
    "http.schannelcheckrevoke",
    "http.https://x.y.sslcainfo",
    "url.a:.insteadof",
    "ssh.variant",
  ];
  const entries = [...keys, "core.gitproxy", "core.autocrlf", "alias.x", "filter.lfs.clean", "lfs.url"].map((key) => entry(key));
  const { settings } = networkEnvironmentFrom(entries, { protocols: [], env: {} });
  expect(settings.map(([key]) => key)).toEqual([...keys, "core.gitproxy"]);
  expect(filterSettings(entries).map(([key]) => key)).toEqual(["filter.lfs.clean", "lfs.url"]);
  expect(["filter.lfs.clean", "lfs.url"].every((key) => reaches("--filters", key))).toBe(true);
});

test("reads credential helpers and certificates of the machine before those of the user", async () => {
  await using folder = tempFolder({
    system: "[credential]\n\thelper = manager\n[http]\n\tsslBackend = schannel\n\tsslCAInfo = /etc/ca.pem\n",
    "home/.gitconfig": "[credential]\n\thelper = store\n[user]\n\tname = Ann\n",
  });
  const env = { HOME: folder.at("home"), GIT_CONFIG_SYSTEM: folder.at("system") };
  const { entries } = await new UserConfigReader("/usr/bin/git", env).read();
  expect(networkEnvironmentFrom(entries, { protocols: ["https"], env }).settings).toEqual([
    ["protocol.https.allow", "always"],
    ["credential.helper", "manager"],
    ["http.sslbackend", "schannel"],
    ["http.sslcainfo", "/etc/ca.pem"],
    ["credential.helper", "store"],
  ]);
});

test("matches the table of settings in docs/security.md", () => {
  const code = (name: string): string => `\`${name}\``;
  const rows = USER_SETTINGS.map(({ keys, reach, why }) => [
    keys.split(" ").map(code).join(", "),
    reach.startsWith("--") ? code(reach) : reach,
    why,
  ]);
  const documented = tableOf("| settings of machine and user |");
  expect(documented.slice(0, -1)).toEqual(rows);
  const [never = "", reach] = documented.at(-1) ?? [];
  expect(reach).toBe("never");
  for (const [, key = ""] of never.matchAll(/`([^`]+)`/g))
    expect(USER_SETTINGS.filter((row) => reaches(row.reach, key.replace("*", "x")))).toEqual([]);
});

test("matches the variables of each platform in docs/security.md", () => {
  const env = { TZ: "UTC", ...Object.fromEntries(["TEMP", "TMP", ...PROGRAM_VARIABLES].map((name) => [name, "C:\\x"])) };
  const namesOf = (platform: NodeJS.Platform) => {
    const machine = { platform, env };
    const base = Object.keys(environmentWithoutRepository("git", machine)).filter((name) => !name.startsWith("GIT_"));
    return { base, more: Object.keys(userVariables(machine)).filter((name) => !base.includes(name)) };
  };
  const [linux, macos, windows] = (["linux", "darwin", "win32"] as const).map(namesOf);
  const [posixRow = [], windowsRow = []] = tableOf("| variables, besides").map((row) =>
    row.slice(1).map((cell) => cell.match(/(?<=`)\w+(?=`)/g) ?? []),
  );
  expect([linux?.base.toSorted(), linux?.more]).toEqual(posixRow);
  expect(macos).toEqual(linux);
  expect(windows?.base.filter((name) => linux?.base.includes(name) !== true)).toEqual(windowsRow[0]);
  expect(windows?.more).toEqual(windowsRow[1]);
});

/** The cells of the rows of a table of docs/security.md. */
function tableOf(head: string): string[][] {
  const page = readFileSync(new URL("../../../../../docs/security.md", import.meta.url), "utf8");
  const [text = ""] = page.slice(page.indexOf(head)).split("\n\n", 1);
  return text
    .split("\n")
    .slice(2)
    .map((line) => line.slice(2, -2).split(" | "));
}
