/** --print-config: every host's entry can be read, and the command in it starts the very server. */
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { npxOf } from "../src/print-config.ts";
import { HOSTS } from "../src/shared-flags.ts";
import { HOME, run, Sample, SERVER } from "./sample.ts";

interface Entry {
  command: string;
  args: string[];
}

const cwd = import.meta.dirname;
const GIVEN = ["notes", "--deny", "*.{a,b}", "--deny=-x", "--store", "db/file", "~/other:ro", "--rate-limit", "9.5/s", "--allow-delete"];

const print = (host: string, args: readonly string[] = GIVEN, env: Record<string, string> = {}) =>
  run([...args, "--print-config", host], { cwd, env });

/** The place of the entry in each host's settings. */
const KEYS: Record<(typeof HOSTS)[number], string> = {
  "claude-desktop": "mcpServers",
  "claude-code": "mcpServers",
  vscode: "servers",
  cursor: "mcpServers",
  codex: "mcp_servers",
  gemini: "mcpServers",
  zed: "context_servers",
  json: "mcpServers",
};

/** The TOML that Codex reads, as far as we write it: one table, texts, and lists of texts. */
function parseToml(text: string): unknown {
  const [head = "", ...lines] = text.trimEnd().split("\n");
  const path = /^\[(\w+)\.([\w-]+)\]$/.exec(head);
  const table = Object.fromEntries(
    lines.map((line) => {
      const [, key = "", value = ""] = /^([a-z_]+) = (".*"|\[.*\])$/.exec(line) ?? [];
      return [key, JSON.parse(value) as unknown];
    }),
  );
  return { [path?.[1] ?? ""]: { [path?.[2] ?? ""]: table } };
}

const entryOf = (host: (typeof HOSTS)[number], stdout: string): Entry => {
  const settings = (host === "codex" ? parseToml(stdout) : JSON.parse(stdout)) as Record<string, Record<string, Entry>>; // looked into below
  expect(Object.keys(settings)).toEqual([KEYS[host]]);
  return settings[KEYS[host]]!.sample!;
};

describe.each(HOSTS)("%s", (host) => {
  test("gets an entry that starts the very server, from any folder", async () => {
    const { code, stdout, stderr } = await print(host);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^For .+:\n$/);
    const { command, args } = entryOf(host, stdout);
    expect([command, args[0]]).toEqual([process.execPath, SERVER]);
    const sample = new Sample([], { cwd: resolve("/") }, command, args);
    await sample.handshake();
    expect(await sample.options()).toMatchObject({
      deny: ["*.{a,b}", "-x"],
      store: join(cwd, "db/file"),
      allowDelete: true,
      things: [join(cwd, "notes"), `${HOME}/other:ro`],
    });
    expect((await sample.end()).code).toBe(0);
  });
});

test("the forms that hosts document beyond command and args", async () => {
  const more = async (host: (typeof HOSTS)[number]) => ({ ...entryOf(host, (await print(host)).stdout), command: "", args: [] });
  expect(await more("vscode")).toEqual({ type: "stdio", command: "", args: [] });
  expect(await more("claude-code")).toEqual({ type: "stdio", command: "", args: [] });
  expect(await more("zed")).toEqual({ source: "custom", command: "", args: [] });
  expect(await more("claude-desktop")).toEqual({ command: "", args: [] });
});

test("what the environment set becomes a switch, and options of Node stay", async () => {
  const env = { OARLOCK_READ_ONLY: "1", OARLOCK_TOOLS: "wait,big", OARLOCK_ALSO: "x,~", OARLOCK_ALLOW_DELETE: "0", OARLOCK_TIMEOUT: "5" };
  const { stdout } = await run(["--timeout=9", "--print-config=json"], { cwd, env, node: ["--conditions=oarlock-source"] });
  expect(entryOf("json", stdout).args).toEqual([
    "--conditions=oarlock-source",
    SERVER,
    "--allow-delete=false",
    "--also",
    join(cwd, "x"),
    "--also",
    HOME,
    "--read-only",
    "--tools",
    "wait",
    "--tools",
    "big",
    "--timeout",
    "9",
  ]);
});

test("what a predecessor's variable named stays named", async () => {
  const { stdout } = await run(["--print-config=json"], { cwd, env: { SAMPLE_STORE: "old/file" } });
  expect(entryOf("json", stdout).args).toEqual([SERVER, "--store", join(cwd, "old/file")]);
});

test("the URL of a file is no folder that is named so", async () => {
  const { stdout } = await run(["--store=file:///a%20b/c", "--print-config=json"], { cwd, env: {} });
  expect(entryOf("json", stdout).args).toEqual([SERVER, "--store", "file:///a%20b/c"]);
});

test("what npx runs is started by npx again, and not from its cache", () => {
  expect(npxOf("/home/ada/.npm/_npx/0a1b/node_modules/@oarlock/git/dist/bin.js", "linux")).toEqual({
    command: "npx",
    args: ["-y", "@oarlock/git"],
  });
  expect(npxOf("C:\\npm-cache\\_npx\\0a1b\\node_modules\\@oarlock\\git\\dist\\bin.js", "win32")).toEqual({
    command: "cmd",
    args: ["/c", "npx", "-y", "@oarlock/git"],
  });
  expect(npxOf("/_npx/0a1b/node_modules/notes/dist/bin.js", "darwin")?.args).toEqual(["-y", "notes"]);
  expect(npxOf("/home/ada/node_modules/@oarlock/git/dist/bin.js", "linux")).toBeUndefined();
});

test("an unknown host, or a wrong switch beside it, exits 2 with nothing on stdout", async () => {
  const unknown = await print("emacs");
  expect(unknown).toMatchObject({ code: 2, stdout: "" });
  expect(unknown.stderr).toMatch(/^Error: --print-config expects one of claude-desktop, .*, json, not "emacs"/);
  expect(await print("json", ["--timeout", "0"])).toMatchObject({ code: 2, stdout: "" });
});

test("what is for HTTP, and secrets, stay out: hosts start the server over stdio", async () => {
  const http = ["--http", "--port", "0", "--host", "localhost", "--allowed-hosts", "a.example", "--legacy-sse", "--auth-token-file", "t"];
  const { stdout } = await print("json", ["notes", ...http, "--state-key", "sixteen letters and more"], { OARLOCK_PORT: "1" });
  expect(stdout).not.toMatch(/http|port|localhost|example|legacy|token|sixteen/);
  expect(stdout).toContain("notes");
});
