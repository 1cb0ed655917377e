// Every server as a project of its own, written by --from. Each run checks the types of their sources on the packages of this repository, serves them,
// and builds one, which runs those of its tests that differ from the tests here. The long tier installs each from packed tarballs, and checks and runs
// all of its tests: nearly all are, word for word, tests of this repository.
import { execFileSync } from "node:child_process";
import { chmodSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Command } from "@oarlock/client";
import { IN_LONG_RUNS } from "@oarlock-tooling/test-support/long-tier";
import { connectTo, tempFolder, type TempFolder } from "@oarlock/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { packedOnce } from "../../../tooling/release/src/packed-once.ts";
import { commandIn } from "./support/eras.ts";
import { npm, ran } from "./support/npm.ts";
import { BIN, root } from "./support/repository.ts";
import { serveRegistry, type Registry } from "./support/registry.ts";
import { rewrittenTests } from "./support/rewritten-tests.ts";

const SERVERS = readdirSync(join(root, "servers"));
/** Of all copies, that of filesystem has the most tests that are rewritten. */
const BUILT = "filesystem";

const TSC = join(root, "node_modules/typescript/bin/tsc");

let folder: TempFolder;
let kit: string;

beforeAll(async () => {
  folder = tempFolder({ cache: {}, home: {}, linked: {}, installed: {} });
  chmodSync(folder.path, 0o755); // some tests of the copies run as another user
  kit = (await packedOnce()).get("@oarlock/server-kit") ?? "";
});

afterAll(() => folder[Symbol.asyncDispose]());

async function writeCopy(server: string, at: string): Promise<void> {
  const name = `own-${server}`;
  const { code, stderr } = await ran(process.execPath, [BIN, name, "--from", server, "--kit", kit], { cwd: dirname(at) });
  expect([code, stderr]).toEqual([0, ""]);
  const manifest = JSON.parse(readFileSync(join(at, "package.json"), "utf8")) as { dependencies: object; devDependencies: object };
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

async function expectViews(at: string, module: string): Promise<void> {
  const pages = readdirSync(join(at, "views")).filter((file) => file.endsWith(".html"));
  const script = `const { VIEWS } = await import("./${module}");
    for (const view of VIEWS) console.log((await view.contents()).uri.replace(/.*\\//, ""));`;
  const { stdout, stderr } = await ran(process.execPath, ["--input-type=module", "-e", script], { cwd: at });
  expect(stderr).toBe("");
  expect(stdout.trim().split("\n").toSorted()).toEqual(pages.toSorted());
}

async function expectTools(server: string, command: Command): Promise<void> {
  const env = { HOME: folder.at("home"), XDG_DATA_HOME: folder.at("home") };
  await using wired = await connectTo({ ...command, env });
  expect(wired.client.serverInfo.name).toBe(`own-${server}`);
  expect((await Array.fromAsync(wired.client.tools())).length).toBeGreaterThan(3);
  expect(wired.faults).toEqual([]);
}

const versionOf = (at: string) => ran(process.execPath, ["dist/bin.js", "--version"], { cwd: at });
const VERSION = { code: 0, stdout: "0.1.0\n", stderr: "" };

describe("on the packages of this repository", () => {
  const inCopy = (server: string, ...path: string[]): string => folder.at("linked", `own-${server}`, ...path);
  const compile = (...words: string[]) =>
    ran(process.execPath, [TSC, "--singleThreaded", "--typeRoots", join(root, "node_modules/@types"), ...words], {
      cwd: folder.at("linked"),
    });

  beforeAll(async () => {
    for (const server of SERVERS) {
      await writeCopy(server, inCopy(server));
      symlinkSync(join(root, "servers", server, "node_modules"), inCopy(server, "node_modules"));
    }
  });

  test("passes the type check of all sources, and of the tests of the copy that is built", async () => {
    // In one program, as all have the same options.
    const [options = "", ...others] = new Set(SERVERS.map((server) => readFileSync(inCopy(server, "tsconfig.json"), "utf8")));
    expect(others).toEqual([]);
    const include = [...SERVERS.map((server) => `own-${server}/src`), `own-${BUILT}/test`];
    writeFileSync(folder.at("linked/tsconfig.json"), JSON.stringify({ ...(JSON.parse(options) as object), include }));
    expect(await compile("--noEmit")).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  test.each(SERVERS)("has the views of %s", (server) => expectViews(inCopy(server), "src/views.ts"));

  test.each(SERVERS)("serves the tools of %s under its own name", (server) =>
    expectTools(server, { command: process.execPath, args: [inCopy(server, "src/bin.ts")], cwd: inCopy(server) }),
  );

  test("builds a copy, which passes its tests", async () => {
    const at = inCopy(BUILT);
    expect(await compile("-p", join(at, "tsconfig.build.json"))).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(await versionOf(at)).toEqual(VERSION);
    await expectViews(at, "dist/views.js");
    const tests = rewrittenTests(join(root, "servers", BUILT), at);
    expect(await ran(process.execPath, ["node_modules/vitest/vitest.mjs", "run", ...tests], { cwd: at })).toMatchObject({ code: 0 });
  });
});

describe("installed", IN_LONG_RUNS, () => {
  let registry: Registry;
  /** Where the packages of the copy before this one are. */
  let installed: string | undefined;

  beforeAll(async () => {
    registry = await serveRegistry([...(await packedOnce()).values()]);
  });
  afterAll(() => registry[Symbol.asyncDispose]());

  describe.each(SERVERS)("%s", (server) => {
    const at = (...path: string[]): string => folder.at("installed", `own-${server}`, ...path);
    const run = (...args: string[]): Promise<string> => npm(args, at(), registry.url, folder.at("cache"));

    test("installs and builds with the kit as an ordinary dependency", async () => {
      await writeCopy(server, at());
      // npm takes away what this copy does not name, and keeps the rest.
      if (installed !== undefined) renameSync(installed, at("node_modules"));
      installed = at("node_modules");
      await run("install");
      expect(await versionOf(at())).toEqual(VERSION);
      execFileSync("git", ["init", "--quiet"], { cwd: at() });
      const untracked = execFileSync("git", ["status", "--short", "--untracked-files=normal"], { cwd: at(), encoding: "utf8" });
      expect(untracked).not.toMatch(/node_modules|dist\//);
    });

    test.each(["src/views.ts", "dist/views.js"])("has its views, read by %s", (module) => expectViews(at(), module));

    test("serves its tools under its own name", () => expectTools(server, { ...commandIn(at()), cwd: at() }));

    // Among these tests, the smoke serves each era over stdio and HTTP.
    test("passes its type check and its tests", { timeout: 1_800_000 }, async () => {
      await run("test");
    });
  });
});
