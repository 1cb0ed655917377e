// A small server from the first command to the published package, as a new user creates it: packed tarballs, an empty folder, npm. The long tier adds
// the tests of the older revisions, an installation with pnpm, and one of the package that the new server makes.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Command } from "@oarlock/client";
import { IN_LONG_RUNS, isLong } from "@oarlock-tooling/test-support/long-tier";
import { connectTo, tempFolder, type TempFolder } from "@oarlock/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { packedOnce } from "../../../tooling/release/src/packed-once.ts";
import { commandIn, inEachEra } from "./support/eras.ts";
import { npm, pnpmInstall, ran } from "./support/npm.ts";
import { serveRegistry, type Registry } from "./support/registry.ts";

let folder: TempFolder;
let registry: Registry;
let project: string;

const install = (args: readonly string[], at: string): Promise<string> => npm(args, at, registry.url, folder.at("cache"));

async function addNote(to: Command): Promise<void> {
  await using wired = await connectTo(to);
  await wired.client.call("add_note", { title: "a", text: "b" });
  expect(wired.faults).toEqual([]);
}

beforeAll(async () => {
  const tarballs = await packedOnce();
  folder = tempFolder({ work: {}, cache: {}, other: {}, store: {} });
  symlinkSync(dirname(tarballs.get("@oarlock/server-kit") ?? ""), folder.at("tarballs"));
  registry = await serveRegistry([...tarballs.values()]);
  await install(["create", "--yes", "@oarlock/server", "my-server"], folder.at("work"));
  project = folder.at("work/my-server");
  await install(["install"], project);
});

afterAll(async () => {
  await registry[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

test("writes six files by npm create, and builds the command by npm install", () => {
  const written = readdirSync(project, { recursive: true, encoding: "utf8" }).filter(
    (path) => !/^(node_modules|dist|\.git)\b(?!ignore)|^package-lock.json$|^src$/.test(path),
  );
  expect(written.toSorted()).toEqual([".gitignore", "README.md", "package.json", "src/server.test.ts", "src/server.ts", "tsconfig.json"]);
  expect(existsSync(commandIn(project).args![0]!)).toBe(true);
  execFileSync("git", ["init", "--quiet"], { cwd: project });
  const untracked = execFileSync("git", ["status", "--short", "--untracked-files=normal"], { cwd: project, encoding: "utf8" });
  expect(untracked).toContain("?? .gitignore");
  expect(untracked).not.toMatch(/node_modules|dist\//);
});

test("serves each era over stdio and HTTP by the command", async () => {
  await inEachEra(commandIn(project), async ({ client }) => {
    const added = await client.call("add_note", { title: "tea", text: "Green." });
    expect(added.content).toEqual([{ type: "text", text: 'Kept "tea".' }]);
    const { contents } = await client.read("note:///tea");
    expect(contents).toEqual([{ uri: "note:///tea", mimeType: "text/plain", text: "Green." }]);
    await client.call("add_note", { title: "tea/black 50%", text: "Strong." });
    const slashed = "note:///tea/black%2050%25";
    expect((await client.read(slashed)).contents).toEqual([{ uri: slashed, mimeType: "text/plain", text: "Strong." }]);
    const { messages } = await client.prompt("sum_up", {});
    expect(messages).toHaveLength(1);
  });
});

test("starts the server by the host entries of the README and of --print-config", async () => {
  interface Entry {
    mcpServers: Record<string, { command: string; args: string[] }>;
  }
  const readme = readFileSync(`${project}/README.md`, "utf8");
  const [, block = ""] = /## From source\n[^]*?```json\n([^]*?)```/.exec(readme) ?? [];
  const [, published = ""] = /## Use it\n[^]*?```json\n([^]*?)```/.exec(readme) ?? [];
  expect(JSON.parse(published)).toEqual({ mcpServers: { "my-server": { command: "npx", args: ["-y", "my-server"] } } });
  const printed = await ran(process.execPath, [...commandIn(project).args!, "--print-config", "claude-desktop"], { cwd: folder.path });
  for (const text of [block, printed.stdout]) {
    const { mcpServers } = JSON.parse(text) as Entry;
    expect(Object.keys(mcpServers)).toEqual(["my-server"]);
    await addNote(mcpServers["my-server"]!);
  }
});

test.each(["src/server.ts", "dist/server.js"])("takes name and version from package.json for %s", async (module) => {
  const original = readFileSync(`${project}/package.json`, "utf8");
  const renamed = JSON.stringify({ ...(JSON.parse(original) as object), name: "@me/renamed", version: "3.2.1" });
  try {
    writeFileSync(`${project}/package.json`, renamed);
    await using wired = await connectTo({ command: process.execPath, args: [`${project}/${module}`] });
    expect(wired.client.serverInfo).toMatchObject({ name: "renamed", version: "3.2.1" });
    const { stdout } = await ran(process.execPath, [module, "--print-config", "json"], { cwd: project });
    expect(JSON.parse(stdout)).toMatchObject({ mcpServers: { renamed: {} } });
  } finally {
    writeFileSync(`${project}/package.json`, original);
  }
});

test("passes npm test for every part, and tests a dist/ that is never older than its sources", async () => {
  writeFileSync(`${project}/dist/server.js`, "throw new Error('stale')");
  const newest = isLong ? [] : ["--testNamePattern", "2026-07-28|2025-11-25"];
  // A start may take longer on a busy machine than the 5 s that vitest gives a test.
  const output = await install(["test", "--", "--testTimeout=300000", ...newest], project);
  expect(output).toMatch(isLong ? /Tests .*\b20 passed \(20\)/ : /Tests .*\b8 passed .*\(20\)/);
  expect(readFileSync(`${project}/dist/server.js`, "utf8")).toContain("add_note");
});

test("packs what the command needs, and no sources", async () => {
  const [packed] = JSON.parse(await install(["pack", "--dry-run", "--json", "--ignore-scripts"], project)) as {
    files: { path: string }[];
  }[];
  expect(packed?.files.map(({ path }) => path).toSorted()).toEqual(["README.md", "dist/server.js", "package.json"]);
});

test("installs and runs elsewhere from npm pack", IN_LONG_RUNS, async () => {
  await install(["pack", "--pack-destination", folder.at("other")], project);
  await install(["install", folder.at("other/my-server-0.1.0.tgz")], folder.at("other"));
  await addNote({ command: folder.at("other/node_modules/.bin/my-server") });
});

test("installs with pnpm, from a folder of tarballs named by a path relative to the current folder", IN_LONG_RUNS, async () => {
  const words = ["exec", "--yes", "--package=@oarlock/create-server", "--", "create-server", "sub/notes", "--kit", "../tarballs"];
  await install(words, folder.at("work"));
  const at = folder.at("work/sub/notes");
  await pnpmInstall(at, registry.url, folder.at("store"));
  await addNote(commandIn(at));
});

test("fetches from npm only packages that are installed in this repository", () => {
  expect([...registry.missed].filter((name) => !name.startsWith("@oarlock/"))).toEqual([]);
});
