// Every server as a project of its own, written by --from. One is installed from packed tarballs, checked, run, and tested by its own tests. The
// others are on the packages of this repository: with OARLOCK_LONG=1 each is installed and tested as well.
import { execFileSync } from "node:child_process";
import { chmodSync, readdirSync, readFileSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "@oarlock/client";
import { connectTo, tempFolder, type TempFolder } from "@oarlock/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { packedOnce } from "../../../tooling/release/src/packed-once.ts";
import { commandIn } from "./support/eras.ts";
import { npm, ran } from "./support/npm.ts";
import { BIN, root } from "./support/repository.ts";
import { serveRegistry, type Registry } from "./support/registry.ts";
import { rewrittenTests } from "./support/rewritten-tests.ts";

const SERVERS = readdirSync(join(root, "servers"));

/**
 * Nearly all tests of a copy are, word for word, tests of this repository: a copy that is installed runs those that are rewritten and those of its
 * layout, and checks the types of the rest. With OARLOCK_LONG=1 it runs everything.
 */
const isLong = process.env["OARLOCK_LONG"] === "1";

/** Of all copies, that of filesystem needs the most packages. */
const INSTALLED = isLong ? SERVERS : ["filesystem"];

let folder: TempFolder;
let registry: Registry | undefined;
let kit: string;
/** Where the packages of the copy before this one are. */
let installed: string | undefined;

const run = (args: readonly string[], at: string): Promise<string> => npm(args, at, registry!.url, folder.at("cache"));

beforeAll(async () => {
  const tarballs = await packedOnce();
  folder = tempFolder({ cache: {}, home: {} });
  chmodSync(folder.path, 0o755); // some tests of the copies run as another user
  kit = tarballs.get("@oarlock/server-kit") ?? "";
  registry = await serveRegistry([...tarballs.values()]);
});

afterAll(async () => {
  await registry?.[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const inCopy = (server: string, ...path: string[]): string => folder.at(`own-${server}`, ...path);

async function writeCopy(server: string): Promise<void> {
  const name = `own-${server}`;
  const { code, stderr } = await ran(process.execPath, [BIN, name, "--from", server, "--kit", kit], { cwd: folder.path });
  expect([code, stderr]).toEqual([0, ""]);
  const manifest = JSON.parse(readFileSync(inCopy(server, "package.json"), "utf8")) as { dependencies: object; devDependencies: object };
  expect(manifest).toMatchObject({
    name,
    version: "0.1.0",
    bin: { [name]: "dist/bin.js" },
    dependencies: { "@oarlock/server-kit": `file:${kit}` },
  });
  const needed = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
  expect(needed.filter((one) => /^@(oarlock|modelcontextprotocol)\//.test(one))).toEqual([
    ...["@oarlock/cli", "@oarlock/domain-kit", "@oarlock/extensions", "@oarlock/server-kit", "@oarlock/client"],
    ...(server === "filesystem" ? ["@oarlock/documents"] : []),
    "@oarlock/testing",
  ]);
}

async function expectViews(server: string, module: string): Promise<void> {
  const pages = readdirSync(inCopy(server, "views")).filter((file) => file.endsWith(".html"));
  const script = `const { VIEWS } = await import("./${module}");
    for (const view of VIEWS) console.log((await view.contents()).uri.replace(/.*\\//, ""));`;
  const { stdout, stderr } = await ran(process.execPath, ["--input-type=module", "-e", script], { cwd: inCopy(server) });
  expect(stderr).toBe("");
  expect(stdout.trim().split("\n").toSorted()).toEqual(pages.toSorted());
}

async function expectTools(server: string, command: Command): Promise<void> {
  const env = { HOME: folder.at("home"), XDG_DATA_HOME: folder.at("home") };
  await using wired = await connectTo({ ...command, cwd: inCopy(server), env });
  expect(wired.client.serverInfo.name).toBe(`own-${server}`);
  expect((await Array.fromAsync(wired.client.tools())).length).toBeGreaterThan(3);
  expect(wired.faults).toEqual([]);
}

describe.each(INSTALLED)("%s, installed", (server) => {
  const at = (...path: string[]): string => inCopy(server, ...path);

  test("installs and builds with the kit as an ordinary dependency", async () => {
    await writeCopy(server);
    // npm takes away what this copy does not name, and keeps the rest.
    if (installed !== undefined) renameSync(installed, at("node_modules"));
    installed = at("node_modules");
    await run(["install"], at());
    expect(await ran(process.execPath, ["dist/bin.js", "--version"], { cwd: at() })).toEqual({ code: 0, stdout: "0.1.0\n", stderr: "" });
    execFileSync("git", ["init", "--quiet"], { cwd: at() });
    const untracked = execFileSync("git", ["status", "--short", "--untracked-files=normal"], { cwd: at(), encoding: "utf8" });
    expect(untracked).not.toMatch(/node_modules|dist\//);
  });

  test.each(["src/views.ts", "dist/views.js"])("has its views, read by %s", (module) => expectViews(server, module));

  test("serves its tools under its own name", () => expectTools(server, commandIn(at())));

  // Among these tests, the smoke serves each era over stdio and HTTP.
  test("passes its type check and its tests", { timeout: 900_000 }, async () => {
    await run(["test", "--", ...(isLong ? [] : rewrittenTests(join(root, "servers", server), at()))], at());
  });
});

describe.each(SERVERS.filter((server) => !INSTALLED.includes(server)))("%s, on the packages of this repository", (server) => {
  beforeAll(async () => {
    await writeCopy(server);
    symlinkSync(join(root, "servers", server, "node_modules"), inCopy(server, "node_modules"));
  });

  test("has its views", () => expectViews(server, "src/views.ts"));

  test("serves its tools under its own name", () =>
    expectTools(server, { command: process.execPath, args: [inCopy(server, "src/bin.ts")] }));

  test("passes its type check", async () => {
    const words = ["--noEmit", "--singleThreaded", "--typeRoots", join(root, "node_modules/@types")];
    const checked = await ran(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), ...words], { cwd: inCopy(server) });
    expect(checked).toEqual({ code: 0, stdout: "", stderr: "" });
  });
});
