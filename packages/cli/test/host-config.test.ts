/** Tests --print-config: each host's entry parses, and its arguments mean the same server. */
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { npxCommand } from "../src/host-config.ts";
import { HOSTS } from "../src/shared-flags.ts";
import { HOME, look, run, type StartOptions } from "./support/sample-in-memory.ts";

interface Entry {
  command: string;
  args: string[];
}

const SERVER = resolve("server.js");
const printed = (args: readonly string[], options: StartOptions = {}) => run(args, { script: SERVER, ...options });
const GIVEN = ["notes", "--deny", "*.{a,b}", "--deny=-x", "--store", "db/file", "~/other:ro", "--rate-limit", "9.5/s", "--allow-delete"];

const print = (host: string, args: readonly string[] = GIVEN, env: Record<string, string> = {}) =>
  printed([...args, "--print-config", host], { env });

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

/** Parses the part of TOML that entries use: one table, strings, and lists of strings. */
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
  test("prints an entry whose arguments mean the same server from any folder", async () => {
    const { code, stdout, stderr } = await print(host);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^For .+:\n$/);
    const { command, args } = entryOf(host, stdout);
    expect([command, args[0]]).toEqual([process.execPath, SERVER]);
    const named = args.slice(1).filter((arg) => /notes|db|other/.test(arg));
    expect(named.map((arg) => arg.replace(/:ro$/, ""))).toEqual(["db/file", "notes", `${HOME}/other`].map((path) => resolve(path)));
    expect(await look(args.slice(1), (sample) => sample.options())).toMatchObject({
      deny: ["*.{a,b}", "-x"],
      store: resolve("db/file"),
      allowDelete: true,
      positionals: [resolve("notes"), `${HOME}/other:ro`],
    });
  });
});

test("adds the fields that hosts document besides command and args", async () => {
  const more = async (host: (typeof HOSTS)[number]) => ({ ...entryOf(host, (await print(host)).stdout), command: "", args: [] });
  expect(await more("vscode")).toEqual({ type: "stdio", command: "", args: [] });
  expect(await more("claude-code")).toEqual({ type: "stdio", command: "", args: [] });
  expect(await more("zed")).toEqual({ source: "custom", command: "", args: [] });
  expect(await more("claude-desktop")).toEqual({ command: "", args: [] });
});

test("turns environment variables into switches, and keeps options of Node", async () => {
  const env = { OARLOCK_READ_ONLY: "1", OARLOCK_TOOLS: "wait,big", OARLOCK_ALSO: "x,~", OARLOCK_ALLOW_DELETE: "0", OARLOCK_TIMEOUT: "5" };
  const { stdout } = await printed(["--timeout=9", "--print-config=json"], { env, execArgv: ["--conditions=oarlock-source"] });
  expect(entryOf("json", stdout).args).toEqual([
    "--conditions=oarlock-source",
    SERVER,
    "--allow-delete=false",
    "--also",
    resolve("x"),
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

test("turns the value of a legacy variable into a switch", async () => {
  const { stdout } = await printed(["--print-config=json"], { env: { SAMPLE_STORE: "old/file" } });
  expect(entryOf("json", stdout).args).toEqual([SERVER, "--store", resolve("old/file")]);
});

test.each([[["--print-config"]], [["--print-config", "--timeout=9"]], [["--print-config", "--", "notes"]]])(
  "prints for %j without a host the entry of most hosts",
  async (args) => {
    const [bare, named] = await Promise.all([printed(args), printed(["--print-config=json", ...args.slice(1)])]);
    expect(bare).toEqual(named);
    expect(bare.code).toBe(0);
  },
);

test("keeps a file URL unresolved", async () => {
  const { stdout } = await printed(["--store=file:///a%20b/c", "--print-config=json"]);
  expect(entryOf("json", stdout).args).toEqual([SERVER, "--store", "file:///a%20b/c"]);
});

test("keeps a URL unresolved and leaves out its password", async () => {
  const { stdout } = await printed(["--store=postgres://ann:p%40ss:w@host/db?schema=x&password=other", "--print-config=json"]);
  expect(entryOf("json", stdout).args).toEqual([SERVER, "--store", "postgres://ann@host/db?schema=x"]);
});

test("leaves password and key out of a URL in a text", async () => {
  const { stdout } = await printed(["--start-with=https://ann:pw@host/v1?api_key=a&version=2&token=b", "--print-config=json"]);
  expect(entryOf("json", stdout).args).toEqual([SERVER, "--start-with", "https://ann@host/v1?version=2"]);
});

test.each([
  ["postgres://ann@host/db?sslmode=require&sslpassword=S&sslrootcert=/ca", "postgres://ann@host/db?sslmode=require&sslrootcert=/ca"],
  ["postgres://ann@host/db?options=-c%20x&schema=notes", "postgres://ann@host/db?schema=notes"],
  ["https://host/blob?sv=S&sig=S", "https://host/blob"],
  ["https://S@host/v1?code=S#S", "https://host/v1"],
  ["https://host/v1?sig=S&api-version=2", "https://host/v1?api-version=2"],
])("keeps only known harmless parts of a URL, and warns on stderr: %s", async (given, kept) => {
  for (const name of ["store", "start-with"]) {
    const { stdout, stderr } = await printed([`--${name}=${given}`, "--print-config=json"]);
    expect(entryOf("json", stdout).args).toEqual([SERVER, `--${name}`, kept]);
    expect(stderr).toContain("Left out of addresses");
  }
});

test.each([["json"], ["codex"]] as const)(
  "sends no control characters to a terminal in an entry of %s, and keeps its meaning",
  async (host) => {
    const name = "a\u202eb\u009bc\u007f";
    const { stdout } = await printed([`--deny=${name}`, `--print-config=${host}`]);
    expect(stdout).toMatch(/^[\n\x20-\x7e]*$/);
    expect(entryOf(host, stdout).args).toContain(name);
  },
);

const IN_CACHE = String.raw`C:\npm-cache\_npx\0a1b\node_modules\@oarlock\git\dist\bin.js`;

test("starts a server from npx by npx again, not from its cache", () => {
  const on = (platform: NodeJS.Platform) => ({ words: ["/home/ada/R&D"], platform, script: undefined });
  expect(npxCommand("/home/ada/.npm/_npx/0a1b/node_modules/@oarlock/git/dist/bin.js", on("linux"))).toEqual({
    command: "npx",
    args: ["-y", "@oarlock/git"],
  });
  expect(npxCommand(IN_CACHE, { words: [String.raw`C:\My notes`, "--deny=*.{a,b}"], platform: "win32", script: "npx-cli.js" })).toEqual({
    command: "cmd",
    args: ["/c", "npx", "-y", "@oarlock/git"],
  });
  expect(npxCommand("/_npx/0a1b/node_modules/notes/dist/bin.js", on("darwin"))?.args).toEqual(["-y", "notes"]);
  expect(npxCommand("/home/ada/node_modules/@oarlock/git/dist/bin.js", on("linux"))).toBeUndefined();
});

test.each([String.raw`C:\R&D`, "100%", "a^b", "a|b", "a<b>", "(a)", "a!", 'a"b'])("starts npx on Windows without cmd for %s", (word) => {
  const npx = { words: ["last", word], platform: "win32" as const };
  expect(npxCommand(IN_CACHE, { ...npx, script: String.raw`C:\npm\bin\npx-cli.js` })).toEqual({
    command: process.execPath,
    args: [String.raw`C:\npm\bin\npx-cli.js`, "-y", "@oarlock/git"],
  });
  expect(npxCommand(IN_CACHE, { ...npx, script: undefined })).toBeUndefined();
});

test("exits with 2 and an empty stdout on an unknown host or another invalid switch", async () => {
  const unknown = await print("emacs");
  expect(unknown).toMatchObject({ code: 2, stdout: "" });
  expect(unknown.stderr).toMatch(/^Error: Invalid value for --print-config: expected one of claude-desktop, .*, json, got "emacs"/);
  expect(await print("json", ["--timeout", "0"])).toMatchObject({ code: 2, stdout: "" });
});

test("leaves out switches and secrets of HTTP without --http, for hosts that use stdio", async () => {
  const http = ["--port", "0", "--host", "localhost", "--allowed-hosts", "a.example", "--legacy-sse", "--auth-token-file", "t"];
  const { stdout } = await print("json", ["notes", ...http, "--state-key", "sixteen letters and more"], { OARLOCK_PORT: "1" });
  expect(stdout).not.toMatch(/http|port|localhost|example|legacy|token|sixteen/);
  expect(stdout).toContain("notes");
});

const HTTP = ["--http", "--port=4100", "--auth-token-file=t"];
const URL_4100 = "http://127.0.0.1:4100/mcp";
const bearer = (token: string): { headers: { Authorization: string } } => ({ headers: { Authorization: `Bearer ${token}` } });

test.each([
  ["claude-code", { type: "http", url: URL_4100, ...bearer("${OARLOCK_TOKEN}") }, "Set OARLOCK_TOKEN"],
  ["cursor", { url: URL_4100, ...bearer("${env:OARLOCK_TOKEN}") }, "Set OARLOCK_TOKEN"],
  ["codex", { url: URL_4100, bearer_token_env_var: "OARLOCK_TOKEN" }, "Set OARLOCK_TOKEN"],
  ["gemini", { httpUrl: URL_4100, ...bearer("${OARLOCK_TOKEN}") }, "Set OARLOCK_TOKEN"],
  ["zed", { url: URL_4100, ...bearer("TOKEN") }, "Replace TOKEN"],
  ["json", { url: URL_4100, ...bearer("TOKEN") }, "Replace TOKEN"],
] as const)("connects the entry of %s to the URL with --http", async (host, entry, note) => {
  const { code, stdout, stderr } = await print(host, HTTP);
  expect(code).toBe(0);
  expect(entryOf(host, stdout)).toEqual(entry);
  expect(stderr).toMatch(/^For .+:\n/);
  expect(stderr).toContain(note);
});

test("makes VS Code ask for the token with --http", async () => {
  const { stdout } = await print("vscode", HTTP);
  expect(JSON.parse(stdout)).toEqual({
    inputs: [{ type: "promptString", id: "oarlock-token", description: "Access token of sample", password: true }],
    servers: { sample: { type: "http", url: URL_4100, ...bearer("${input:oarlock-token}") } },
  });
});

test("follows --host in the URL, and adds no token for OAuth or without authentication", async () => {
  const entry = async (args: readonly string[]) => entryOf("json", (await print("json", ["--http", ...args])).stdout);
  expect(await entry([])).toEqual({ url: "http://127.0.0.1:3920/mcp" });
  expect(await entry(["--host=0.0.0.0"])).toEqual({ url: "http://127.0.0.1:3920/mcp" });
  expect(await entry(["--host=[::1]", "--port=1"])).toEqual({ url: "http://[::1]:1/mcp" });
  expect(await entry(["--oauth-issuer=https://id.example", "--oauth-audience=https://a.example/mcp"])).toEqual({
    url: "https://a.example/mcp",
  });
});

test("names the public address before any other, also of a server on a socket", async () => {
  const publicUrl = "--public-url=https://mcp.example/shop/mcp";
  const entry = async (...args: string[]) => entryOf("json", (await print("json", ["--http", publicUrl, ...args])).stdout);
  const url = "https://mcp.example/shop/mcp";
  expect(await entry("--socket=/run/shop", "--port=0")).toEqual({ url });
  expect(await entry("--oauth-issuer=https://id.example")).toEqual({ url });
  expect(await entry("--auth-token-file=token")).toEqual({ url, ...bearer("TOKEN") });
  const inner = await print("json", ["--http", "--socket=/run/shop"]);
  expect(inner.stderr).toMatch(/^Error: --print-config needs an address: .* Add --public-url, or remove --socket\./);
});

test("never prints the token itself", async () => {
  const { stdout, stderr } = await print("json", ["--http"], { OARLOCK_AUTH_TOKEN: "a-secret-of-mine" });
  expect(stdout).toContain("Bearer TOKEN");
  expect(stdout + stderr).not.toContain("a-secret-of-mine");
});

test("explains what to do when no entry can have a URL", async () => {
  const desktop = await print("claude-desktop", HTTP);
  expect(desktop).toMatchObject({ code: 2, stdout: "" });
  expect(desktop.stderr).toMatch(
    /^Error: The settings file of Claude Desktop has no entries with an address\. .*Connectors.*remove --http/,
  );
  const free = await print("json", ["--http", "--port=0"]);
  expect(free).toMatchObject({ code: 2, stdout: "" });
  expect(free.stderr).toMatch(/^Error: --print-config needs a fixed port.*Choose one with --port\./);
});
