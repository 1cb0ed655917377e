/** Tests install and uninstall: the settings of each host in both scopes, byte for byte, and what is left alone. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse as parseToml } from "smol-toml";
import { describe, expect, test } from "vitest";
import type { HOSTS } from "../src/shared-flags.ts";
import { strictJson } from "../src/doctor/hosts/json-laxness.ts";
import { withJsonEntry, withoutJsonEntry } from "../src/install/json-entry.ts";
import { withoutTomlEntry, withTomlEntry } from "../src/install/toml-entry.ts";
import { doctorSetUp, homeVariables } from "./support/doctor-set-up.ts";
import { run } from "./support/sample-in-memory.ts";

const { homeWith } = doctorSetUp(run);
const FOLDERS =
  process.platform === "darwin" ? "Library/Application Support" : process.platform === "win32" ? "AppData/Roaming" : ".config";

interface Place {
  readonly host: (typeof HOSTS)[number];
  readonly scope: "user" | "project";
  readonly file: string;
  readonly key: string;
}

/** The project lies below the home folder. */
const PLACES: readonly Place[] = [
  { host: "claude-desktop", scope: "user", file: `${FOLDERS}/Claude/claude_desktop_config.json`, key: "mcpServers" },
  { host: "claude-code", scope: "user", file: ".claude.json", key: "mcpServers" },
  { host: "claude-code", scope: "project", file: "project/.mcp.json", key: "mcpServers" },
  { host: "vscode", scope: "user", file: `${FOLDERS}/Code/User/mcp.json`, key: "servers" },
  { host: "vscode", scope: "project", file: "project/.vscode/mcp.json", key: "servers" },
  { host: "cursor", scope: "user", file: ".cursor/mcp.json", key: "mcpServers" },
  { host: "cursor", scope: "project", file: "project/.cursor/mcp.json", key: "mcpServers" },
  { host: "codex", scope: "user", file: ".codex/config.toml", key: "mcp_servers" },
  { host: "codex", scope: "project", file: "project/.codex/config.toml", key: "mcp_servers" },
  { host: "gemini", scope: "user", file: ".gemini/settings.json", key: "mcpServers" },
  { host: "gemini", scope: "project", file: "project/.gemini/settings.json", key: "mcpServers" },
  { host: "zed", scope: "project", file: "project/.zed/settings.json", key: "context_servers" },
];

const START = { script: "/opt/sample/bin.js" };

function folder(files: Readonly<Record<string, string>> = {}): string {
  const home = homeWith(files);
  mkdirSync(join(home, "project"), { recursive: true });
  return home;
}

const command = (home: string, args: readonly string[]) => run(args, { ...START, env: homeVariables(home), cwd: join(home, "project") });

const read = (home: string, file: string): string => readFileSync(join(home, file), "utf8");
const settingsIn = (text: string, file: string): Record<string, Record<string, unknown>> =>
  (file.endsWith(".toml") ? parseToml(text) : JSON.parse(strictJson(text.replace(/^\uFEFF/, "")).json)) as Record<
    string,
    Record<string, unknown>
  >; // looked into below

describe.each(PLACES)("$host, scope $scope", ({ host, scope, file, key }) => {
  const args = ["notes", "--deny", "*.secret", "--scope", scope];

  test("writes what --print-config prints, and removes the file that it has made", async () => {
    const home = folder();
    const { code, stdout } = await command(home, ["install", host, ...args]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^--- no file\n\+\+\+ .*\n@@ line 1 @@\n\+/);
    const printed = (await command(home, ["notes", "--deny", "*.secret", "--print-config", host])).stdout;
    expect(settingsIn(read(home, file), file)).toEqual(settingsIn(printed, file));
    expect(settingsIn(read(home, file), file)[key]).toHaveProperty("sample.args");
    expect(await command(home, ["uninstall", host, "--scope", scope])).toMatchObject({ code: 0 });
    expect(existsSync(join(home, file))).toBe(false);
  });

  test("changes nothing at a second install, with --dry-run, and at a removal of what is not there", async () => {
    const home = folder();
    expect((await command(home, ["install", host, ...args, "--dry-run"])).stdout).toContain("Dry run: nothing was written.");
    expect((await command(home, ["uninstall", host, "--scope", scope])).stdout).toContain('Entry "sample" is not in');
    expect(existsSync(join(home, file))).toBe(false);
    await command(home, ["install", host, ...args]);
    const first = read(home, file);
    expect((await command(home, ["install", host, ...args])).stdout).toContain('Entry "sample" is already in');
    expect(read(home, file)).toBe(first);
  });
});

const JSON_FILE = ".gemini/settings.json";
/** Settings of other people, in every form that a host accepts. */
const JSON_TEXTS = [
  "{}",
  "{ }\n",
  "{\n}\n",
  '{"mcpServers":{}}',
  '{\n  "mcpServers": {}\n}\n',
  '{\n  "mcpServers": {\n  }\n}\n',
  '{\n\t"theme": "dark"\n}',
  '{\r\n    "theme": "dark",\r\n    "mcpServers": {\r\n        "other": { "command": "x" }\r\n    }\r\n}\r\n',
  '{ "a": 1, "mcpServers": { "other": { "command": "x", "args": ["}", "\\"{"] } } }',
  '// mine\n{\n  // servers\n  "mcpServers": {\n    "other": {\n      "command": "x", // why\n    }, // last  \n    /* more\n       to come */\n  },\n}\n// end\n',
  '{\n  "mcpServers": {\n    "other": { "command": "x" } /* a\n b */\n  }\n}\n',
  '{\n  "mcpServers": { /* none */ },\n  "sample": { "mcpServers": {} }\n}\n',
  '\uFEFF{\n  "theme": "caf\u00e9"   \n\n}\n\n',
  "",
  "\n",
];

test.each(JSON_TEXTS)("keeps everything else in %j, and gives it back byte for byte", async (text) => {
  const home = folder({ [JSON_FILE]: text });
  expect(await command(home, ["install", "gemini", "notes"])).toMatchObject({ code: 0 });
  const installed = read(home, JSON_FILE);
  const before = text.trim() === "" ? {} : settingsIn(text, JSON_FILE);
  const { mcpServers, ...rest } = settingsIn(installed, JSON_FILE);
  const { mcpServers: others = {}, ...restBefore } = before;
  expect(rest).toEqual(restBefore);
  expect(mcpServers).toEqual({ ...others, sample: expect.objectContaining({ command: process.execPath }) });
  for (const comment of text.match(/\/\/[^\n]*|\/\*.*?\*\//gs) ?? []) expect(installed).toContain(comment.trimEnd());
  expect(await command(home, ["install", "gemini", "other-notes", "--read-only"])).toMatchObject({ code: 0 });
  expect(read(home, `${JSON_FILE}.sample.bak`)).toBe(installed);
  expect(await command(home, ["uninstall", "gemini"])).toMatchObject({ code: 0 });
  expect(read(home, JSON_FILE)).toBe(text);
});

const TOML_TEXTS = [
  'model = "o"\n',
  'model = "o"',
  "\n\n",
  '[mcp_servers.other]\r\ncommand = "x"\r\n\r\n# the end\r\n',
  'notes = """\n[mcp_servers.sample]\ncommand = "no"\n"""\n\n[mcp_servers]\n',
  "[mcp_servers.sample-2]\ncommand = 'x'\n\n[[list]]\na = 1 # [mcp_servers.sample]\n",
];

test.each(TOML_TEXTS)("keeps everything else in the TOML %j, and gives it back byte for byte", async (text) => {
  const home = folder({ ".codex/config.toml": text });
  expect(await command(home, ["install", "codex", "notes"])).toMatchObject({ code: 0 });
  const { mcp_servers: servers, ...rest } = settingsIn(read(home, ".codex/config.toml"), "config.toml");
  const { mcp_servers: others = {}, ...restBefore } = settingsIn(text, "config.toml");
  expect(rest).toEqual(restBefore);
  expect(servers).toEqual({ ...others, sample: expect.objectContaining({ command: process.execPath }) });
  expect(await command(home, ["install", "codex", "other-notes"])).toMatchObject({ code: 0 });
  expect(await command(home, ["uninstall", "codex"])).toMatchObject({ code: 0 });
  expect(read(home, ".codex/config.toml")).toBe(text);
});

const places = ["a", "b"].map((name) => ({ key: "mcpServers", name }));

test.each(JSON_TEXTS)("takes two entries out of %j in any order", (text) => {
  const both = places.reduce((left, place) => withJsonEntry(left, place, { command: "x", args: ["1"] }), text);
  for (const order of [places, places.toReversed()])
    expect(order.reduce<string | undefined>((left, place) => left && withoutJsonEntry(left, place), both)).toBe(text);
});

test.each(TOML_TEXTS)("takes two entries out of the TOML %j in any order", (text) => {
  const both = places.reduce((left, place) => withTomlEntry(left, place, `[mcpServers.${place.name}]\ncommand = "x"\n`), text);
  for (const order of [places, places.toReversed()])
    expect(order.reduce<string | undefined>((left, place) => left && withoutTomlEntry(left, place), both)).toBe(text);
});

test("takes an entry from between others, with its tables", async () => {
  const text =
    '[mcp_servers.a]\ncommand = "a"\n\n[mcp_servers.sample]\ncommand = "sample"\n\n[mcp_servers.sample.env]\nA = "1"\n\n# of b\n[mcp_servers.b]\ncommand = "b"\n';
  const home = folder({
    ".codex/config.toml": text,
    ".cursor/mcp.json": '{\n  "mcpServers": {\n    "sample": { "command": "sample" },\n    "b": { "command": "b" }\n  }\n}\n',
  });
  await command(home, ["uninstall", "codex"]);
  await command(home, ["uninstall", "cursor"]);
  expect(read(home, ".codex/config.toml")).toBe('[mcp_servers.a]\ncommand = "a"\n\n# of b\n[mcp_servers.b]\ncommand = "b"\n');
  expect(read(home, ".cursor/mcp.json")).toBe('{\n  "mcpServers": {\n    "b": { "command": "b" }\n  }\n}\n');
});

test("keeps the permissions of the file, and a backup until the file is as before", async () => {
  const home = folder({ ".claude.json": '{ "a": 1 }' });
  const path = join(home, ".claude.json");
  writeFileSync(path, '{ "a": 1 }', { mode: 0o640 });
  const { mode } = statSync(path);
  const { stdout } = await command(home, ["install", "claude-code"]);
  expect(statSync(path).mode).toBe(mode);
  expect(stdout).toContain(`The file of before is ${path}.sample.bak.`);
  expect(read(home, ".claude.json.sample.bak")).toBe('{ "a": 1 }');
  await command(home, ["uninstall", "claude-code"]);
  expect(readdirSync(home).filter((name) => name.startsWith(".claude"))).toEqual([".claude.json"]);
});

test("shows no secret of the lines beside the entry", async () => {
  const home = folder({ ".cursor/mcp.json": '{\n  "mcpServers": {\n    "a": {\n      "env": { "API_TOKEN": "s3cret-value" } }\n  }\n}\n' });
  const { stdout } = await command(home, ["install", "cursor", "--dry-run"]);
  expect(stdout).toContain('+    "sample": {');
  expect(stdout).not.toContain("s3cret");
});

const other = JSON.stringify({ mcpServers: { sample: { command: "someone-else", args: [] } } });

test.each([
  ["JSON that is broken", { ".cursor/mcp.json": '{ "mcpServers": { ' }, "cursor", "is not valid JSON"],
  ["a list", { ".cursor/mcp.json": "[1]" }, "cursor", "is not a JSON object"],
  ["servers other than an object", { ".cursor/mcp.json": '{"mcpServers": []}' }, "cursor", 'has no object under "mcpServers"'],
  ["TOML that is broken", { ".codex/config.toml": "[mcp_servers\n" }, "codex", "is not valid TOML"],
  ["an entry of another program", { ".cursor/mcp.json": other }, "cursor", 'has an entry "sample" of another program'],
  ["an inline table", { ".codex/config.toml": 'mcp_servers = { a = { command = "a" } }\n' }, "codex", "cannot be changed here"],
  ["an inline entry", { ".codex/config.toml": 'mcp_servers.sample = { command = "sample" }\n' }, "codex", "cannot be changed here"],
])("leaves %s as it is", async (_, files, host, message) => {
  const home = folder(files);
  const { code, stderr } = await command(home, ["install", host]);
  expect([code, stderr]).toEqual([3, expect.stringContaining(message)]);
  const [file, text] = Object.entries(files)[0] ?? ["", ""];
  expect(read(home, file)).toBe(text);
  expect(readdirSync(dirname(join(home, file)))).toHaveLength(1);
});

test("leaves bytes that are not UTF-8 as they are", async () => {
  const home = folder({ ".cursor/mcp.json": "" });
  writeFileSync(join(home, ".cursor/mcp.json"), Buffer.from('{"a": "caf\u00e9"}', "latin1"));
  expect(await command(home, ["install", "cursor"])).toMatchObject({ code: 3, stderr: expect.stringContaining("is not UTF-8") });
});

test("follows links inside of the home folder, and none that lead out", async () => {
  const home = folder({ "dotfiles/mcp.json": "{}" });
  const outside = homeWith({ "mcp.json": "{}", "sub/x": "" });
  mkdirSync(join(home, ".cursor"));
  symlinkSync("../dotfiles/mcp.json", join(home, ".cursor/mcp.json"));
  expect(await command(home, ["install", "cursor"])).toMatchObject({ code: 0 });
  expect(read(home, "dotfiles/mcp.json")).toContain("sample");
  mkdirSync(join(home, "project/.cursor"));
  symlinkSync(join(outside, "mcp.json"), join(home, "project/.cursor/mcp.json"));
  symlinkSync(join(outside, "sub"), join(home, ".gemini"));
  symlinkSync(join(outside, "missing.json"), join(home, "project/.mcp.json"));
  for (const [host, scope] of [
    ["cursor", "project"],
    ["gemini", "user"],
    ["claude-code", "project"],
  ])
    expect(await command(home, ["install", `${host}`, "--scope", `${scope}`])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("reached by a link"),
    });
  expect(readFileSync(join(outside, "mcp.json"), "utf8")).toBe("{}");
  expect(readdirSync(join(outside, "sub"))).toEqual(["x"]);
});

test.each([
  [["install"], "sample install needs a host: one of claude-desktop,"],
  [["install", "curser"], 'Unknown host "curser": did you mean cursor?'],
  [["install", "json"], "Host json has no settings file"],
  [["install", "claude-desktop", "--scope", "project"], "Claude Desktop has no settings of a project."],
  [["install", "cursor", "--scope", "all"], 'Unknown scope "all" in --scope: expected user or project.'],
  [["install", "cursor", "--max-bytes", "x"], "--max-bytes"],
  [["install", "claude-desktop", "--http"], "has no entries with an address"],
])("refuses %j", async (args, message) => {
  expect(await command(folder(), args)).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(message) });
});

test("writes and removes the entry of an address", async () => {
  const home = folder({ ".cursor/mcp.json": "{}\n" });
  expect(await command(home, ["install", "cursor", "--http", "--port", "4000"])).toMatchObject({ code: 0 });
  expect(settingsIn(read(home, ".cursor/mcp.json"), "mcp.json")).toMatchObject({
    mcpServers: { sample: { url: "http://127.0.0.1:4000/mcp" } },
  });
  await command(home, ["uninstall", "cursor"]);
  expect(read(home, ".cursor/mcp.json")).toBe("{}\n");
});
