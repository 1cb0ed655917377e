/** Tests hooks install and remove: the settings of each host in both scopes, byte for byte, and what is left alone. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { changeHooks, type HookHost } from "../src/hooks/index.ts";
import type { CliProcess } from "../src/process/cli-process.ts";
import { doctorSetUp, homeVariables } from "./support/doctor-set-up.ts";
import { run } from "./support/sample-in-memory.ts";

const { homeWith } = doctorSetUp(run);

interface Place {
  readonly host: HookHost;
  readonly scope: "user" | "project";
  readonly file: string;
  /** The item of the last event, as the host documents it. */
  readonly item: (command: string) => unknown;
  readonly events: readonly string[];
}

const grouped = (command: string): unknown => ({ hooks: [{ type: "command", command, timeout: 20 }] });
const gemini = (command: string): unknown => ({ hooks: [{ type: "command", name: "oarlock-memory", command, timeout: 20_000 }] });
const plain = (command: string): unknown => ({ command, timeout: 20 });
const CLAUDE = ["SessionStart", "PreCompact", "SessionEnd"];
const CODEX = ["SessionStart", "PreCompact", "Stop"];
const CURSOR = ["sessionStart", "preCompact", "sessionEnd"];
const GEMINI = ["SessionStart", "PreCompress", "SessionEnd"];

const PLACES: readonly Place[] = [
  { host: "claude-code", scope: "user", file: ".claude/settings.json", item: grouped, events: CLAUDE },
  { host: "claude-code", scope: "project", file: "project/.claude/settings.json", item: grouped, events: CLAUDE },
  { host: "codex", scope: "user", file: ".codex/hooks.json", item: grouped, events: CODEX },
  { host: "codex", scope: "project", file: "project/.codex/hooks.json", item: grouped, events: CODEX },
  { host: "cursor", scope: "user", file: ".cursor/hooks.json", item: plain, events: CURSOR },
  { host: "cursor", scope: "project", file: "project/.cursor/hooks.json", item: plain, events: CURSOR },
  { host: "gemini", scope: "user", file: ".gemini/settings.json", item: gemini, events: GEMINI },
  { host: "gemini", scope: "project", file: "project/.gemini/settings.json", item: gemini, events: GEMINI },
  {
    host: "vscode",
    scope: "project",
    file: "project/.github/hooks/oarlock-memory.json",
    item: (command) => ({ type: "command", command, timeout: 20 }),
    events: CODEX,
  },
];

/** The program stands for the server of memory, as a script. */
function home(): string {
  const at = homeWith({});
  mkdirSync(join(at, "project"), { recursive: true });
  return at;
}

async function hooks(at: string, action: "install" | "remove", args: readonly string[]): Promise<string> {
  const on = {
    argv: [process.execPath, "/opt/memory/bin.js"],
    execArgv: [],
    env: homeVariables(at),
    cwd: () => join(at, "project"),
  } as unknown as CliProcess; // what this command uses of a process
  return changeHooks({ action, program: "oarlock-memory", args, command: (host, rest) => ["hooks", "run", host, ...rest] }, on);
}

const commandOf = (host: string): string => `${process.execPath} /opt/memory/bin.js hooks run ${host}`;
const read = (at: string, file: string): string => readFileSync(join(at, file), "utf8");

function write(at: string, file: string, text: string): void {
  mkdirSync(dirname(join(at, file)), { recursive: true });
  writeFileSync(join(at, file), text);
}

const OTHER = { hooks: [{ type: "command", command: "lint" }] };
/** Files as people have them. `$` stands for the name of the first event. */
const BEFORE = [
  "{}",
  "{}\n",
  '{\n  "model": "x"\n}\n',
  '{\r\n\t"model": "x"\r\n}\r\n',
  '{"version":1}',
  '{\n  "version": 1\n}\n',
  '{"hooks":{}}',
  '{\n  "hooks": {\n  }\n}\n',
  '{"hooks":{"$":[]}}',
  '{\n  "hooks": {\n    "$": [\n    ]\n  }\n}\n',
  `${JSON.stringify({ hooks: { $: [OTHER] } })}\n`,
  `${JSON.stringify({ model: "x", hooks: { $: [OTHER, OTHER], Notification: [OTHER] }, last: [1] }, undefined, 4)}\n`,
  '{\n  // first\n  "hooks": {\n    "$": [\n      { "command": "lint" }, // mine\n    ],\n  },\n}\n',
];

describe.each(PLACES)("$host, scope $scope", ({ host, scope, file, item, events }) => {
  const args = [host, "--scope", scope];

  test("writes an item for each event, and removes the file that it has made", async () => {
    const at = home();
    expect(await hooks(at, "install", args)).toContain(`+++ ${join(at, file)}`);
    const { hooks: lists } = JSON.parse(read(at, file)) as { hooks: object };
    expect(lists).toEqual(Object.fromEntries(events.map((event) => [event, [item(commandOf(host))]])));
    expect(await hooks(at, "install", args)).toContain("Hooks are already in");
    expect(await hooks(at, "remove", args)).toContain("Hooks were removed from");
    expect(existsSync(join(at, file))).toBe(false);
  });

  test.each(BEFORE)("leaves every other byte of %j as it was", async (text) => {
    const at = home();
    const before = text.replaceAll("$", events[0] ?? "");
    write(at, file, before);
    await hooks(at, "install", args);
    expect(read(at, file)).toContain(commandOf(host));
    await hooks(at, "remove", args);
    expect(read(at, file)).toBe(before);
    expect(existsSync(`${join(at, file)}.oarlock-memory.bak`)).toBe(false);
  });

  test("writes nothing by a dry run", async () => {
    const at = home();
    expect(await hooks(at, "install", [...args, "--dry-run"])).toMatch(/^--- no file\n[\s\S]*\nDry run: nothing was written\.\n$/);
    expect(existsSync(join(at, file))).toBe(false);
  });
});

test("replaces its hooks where the switches differ, and removes both forms of the program", async () => {
  const at = home();
  const file = ".claude/settings.json";
  const before = '{\n  "hooks": {\n    "SessionStart": [\n      {\n        "hooks": []\n      }\n    ]\n  }\n}\n';
  write(at, file, before);
  await hooks(at, "install", ["claude-code", "--db", "a.db"]);
  await hooks(at, "install", ["claude-code", "--db", "b.db"]);
  expect(read(at, file)).not.toContain("a.db");
  expect(read(at, file).match(/b\.db/g)).toHaveLength(3);
  write(at, file, read(at, file).replace(`${process.execPath} /opt/memory/bin.js`, "npx -y @oarlock/memory"));
  await hooks(at, "remove", ["claude-code"]);
  expect(read(at, file)).toBe(before);
});

test("leaves commands of other programs alone", async () => {
  const at = home();
  const foreign = ["my-memory hooks run claude-code", "oarlock-memory digest", "echo oarlock-memory hooks run codex"];
  write(at, ".claude/settings.json", JSON.stringify({ hooks: { SessionStart: foreign.map(grouped) } }));
  expect(await hooks(at, "remove", ["claude-code"])).toContain("Hooks are not in");
});

test.each([
  [["claude-desktop"], "Host claude-desktop runs no hooks"],
  [["claude"], "Unknown host"],
  [[], "Hooks need a host"],
  [["vscode"], "Choose claude-code, or add --scope project"],
])("refuses %j", async (args, message) => {
  await expect(hooks(home(), "install", args)).rejects.toThrow(message);
});

test.each(["[]", '{"hooks":[]}', '{"hooks":{"SessionStart":{}}}', "{"])(
  "leaves settings alone that it does not understand: %s",
  async (text) => {
    const at = home();
    write(at, ".claude/settings.json", text);
    await expect(hooks(at, "install", ["claude-code"])).rejects.toThrow(/by hand|Correct it/);
    expect(read(at, ".claude/settings.json")).toBe(text);
  },
);
