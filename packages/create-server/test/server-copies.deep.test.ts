// Every server as a project of its own: written by --from, installed from packed tarballs, checked, run, and tested by its own tests.
import { execFileSync } from "node:child_process";
import { chmodSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { tempFolder, type TempFolder } from "@oarlock/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { packedOnce } from "../../../tooling/release/src/packed-once.ts";
import { commandIn, inEachEra } from "./support/eras.ts";
import { npm, ran } from "./support/npm.ts";
import { BIN, root } from "./support/repository.ts";
import { serveRegistry, type Registry } from "./support/registry.ts";
import { testsOfRewrittenFiles } from "./support/rewritten-files.ts";

const SERVERS = readdirSync(join(root, "servers"));

/**
 * Word for word, the tests of a copy are tests of this repository: each copy runs what its name and its layout can break, and loads the rest.
 * With OARLOCK_LONG=1 it runs everything.
 */
const isLong = process.env["OARLOCK_LONG"] === "1";

let folder: TempFolder;
let registry: Registry | undefined;
let kit: string;

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

  test("serves each era over stdio and HTTP under its own name", async () => {
    const env = { HOME: folder.at("home"), XDG_DATA_HOME: folder.at("home") };
    await inEachEra({ ...commandIn(at()), cwd: at(), env }, async ({ client }) => {
      expect(client.serverInfo.name).toBe(name);
      expect((await Array.fromAsync(client.tools())).length).toBeGreaterThan(3);
    });
  });

  test("passes its type check and its tests", { timeout: 900_000 }, async () => {
    const own = isLong ? [] : testsOfRewrittenFiles(join(root, "servers", server), at());
    await run(["test", "--", ...own], at());
    const loadAll = ["exec", "--", "vitest", "run", "--no-isolate", "--testNamePattern", "no test has this name"];
    if (!isLong) await run(loadAll, at());
  });
});
