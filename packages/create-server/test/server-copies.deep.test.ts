// Every server as a project of its own: written by --from, installed from packed tarballs, checked, run, and tested by its own tests.
import { execFileSync } from "node:child_process";
import { chmodSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
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
 * Nearly all tests of a copy are, word for word, tests of this repository: each copy runs those that are rewritten and those of its layout, and
 * checks the types of the rest. With OARLOCK_LONG=1 it runs everything.
 */
const isLong = process.env["OARLOCK_LONG"] === "1";

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

describe.each(SERVERS)("%s", (server) => {
  const name = `own-${server}`;
  const at = (...path: string[]): string => folder.at(name, ...path);

  test("installs and builds with the kit as an ordinary dependency", async () => {
    const { code, stderr } = await ran(process.execPath, [BIN, name, "--from", server, "--kit", kit], { cwd: folder.path });
    expect([code, stderr]).toEqual([0, ""]);
    const manifest = JSON.parse(readFileSync(at("package.json"), "utf8")) as {
      dependencies: Record<string, string>;
      devDependencies: object;
    };
    expect(manifest).toMatchObject({
      name,
      version: "0.1.0",
      bin: { [name]: "dist/bin.js" },
      dependencies: { "@oarlock/server-kit": `file:${kit}` },
    });
    expect(
      Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }).filter((one) =>
        /^@(oarlock|modelcontextprotocol)\//.test(one),
      ),
    ).toEqual([
      ...["@oarlock/cli", "@oarlock/domain-kit", "@oarlock/extensions", "@oarlock/server-kit", "@oarlock/client"],
      ...(server === "filesystem" ? ["@oarlock/documents"] : []),
      "@oarlock/testing",
    ]);
    // npm takes away what this copy does not name, and keeps the rest.
    if (installed !== undefined) renameSync(installed, at("node_modules"));
    installed = at("node_modules");
    await run(["install"], at());
    expect(await ran(process.execPath, [at("dist/bin.js"), "--version"], { cwd: at() })).toEqual({
      code: 0,
      stdout: "0.1.0\n",
      stderr: "",
    });
    execFileSync("git", ["init", "--quiet"], { cwd: at() });
    const untracked = execFileSync("git", ["status", "--short", "--untracked-files=normal"], { cwd: at(), encoding: "utf8" });
    expect(untracked).not.toMatch(/node_modules|dist\//);
  });

  test.each(["src/views.ts", "dist/views.js"])("has its views, read by %s", async (module) => {
    const pages = readdirSync(at("views")).filter((file) => file.endsWith(".html"));
    const script = `const { VIEWS } = await import("./${module}");
      for (const view of VIEWS) console.log((await view.contents()).uri.replace(/.*\\//, ""));`;
    const { stdout, stderr } = await ran(process.execPath, ["--input-type=module", "-e", script], { cwd: at() });
    expect(stderr).toBe("");
    expect(stdout.trim().split("\n").toSorted()).toEqual(pages.toSorted());
  });

  test("serves its tools under its own name", async () => {
    const env = { HOME: folder.at("home"), XDG_DATA_HOME: folder.at("home") };
    await using wired = await connectTo({ ...commandIn(at()), cwd: at(), env });
    expect(wired.client.serverInfo.name).toBe(name);
    expect((await Array.fromAsync(wired.client.tools())).length).toBeGreaterThan(3);
    expect(wired.faults).toEqual([]);
  });

  // Among these tests, the smoke serves each era over stdio and HTTP.
  test("passes its type check and its tests", { timeout: 900_000 }, async () => {
    await run(["test", "--", ...(isLong ? [] : rewrittenTests(join(root, "servers", server), at()))], at());
  });
});
