/** Rules for the manifests of packages, and texts that no file of the repository may contain. */
import { execFileSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import { outputSync } from "@oarlock-tooling/test-support/run-program";
import { describe, expect, test } from "vitest";
import { shellProblem } from "./support/script-shell.ts";
import { root } from "../src/sources.ts";

interface Manifest {
  name: string;
  private?: boolean;
  repository?: { type: string; url: string; directory: string };
  license?: string;
  type?: string;
  description?: string;
  engines?: { node?: string };
  files?: string[];
  bin?: Record<string, string>;
  exports?: Record<string, unknown>;
  scripts?: Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

const text = (path: string): string => readFileSync(join(root, path), "utf8");
const manifest = (folder: string): Manifest => JSON.parse(text(join(folder, "package.json"))) as Manifest; // what these tests check

const folders = (glob: string): string[] => globSync(`${glob}/package.json`, { cwd: root }).map(dirname).toSorted();
const products = folders("{packages,servers}/*");
const servers = folders("servers/*");
const everything = [".", ...folders("{packages,servers,tooling,examples}/*")];

/** Folders that examples in texts may name. */
const COMMON = ["", "/tmp", "/root", "/home", "/Users"];

const EXACT = /^\d+\.\d+\.\d+(-[\w.]+)?$/;

describe("versions", () => {
  test.each(everything)("of %s are exact", (folder) => {
    const { dependencies, devDependencies, optionalDependencies } = manifest(folder);
    const loose = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies }).filter(
      ([name, version]) =>
        !EXACT.test(version.replace(/^npm:[\w-]+@/, "")) && version !== (name.startsWith("@oarlock") ? "workspace:^" : "catalog:"),
    );
    expect(loose).toEqual([]);
  });

  test("in the catalog are exact", () => {
    const block = /^catalog:\n((?: {2}.*\n)+)/m.exec(text("pnpm-workspace.yaml"))?.[1] ?? "";
    const versions = block
      .trimEnd()
      .split("\n")
      .map((line) => line.replace(/^.*: /, ""));
    expect(versions.length).toBeGreaterThan(1);
    expect(versions.filter((version) => !EXACT.test(version))).toEqual([]);
  });

  test("of pnpm is exact", () => {
    const { packageManager } = JSON.parse(text("package.json")) as { packageManager: string }; // checked by the next line
    expect(packageManager).toMatch(/^pnpm@\d+\.\d+\.\d+$/);
  });
});

describe("scripts", () => {
  test.each([...everything, "packages/create-server/template"])("of %s run in cmd.exe as in sh", (folder) => {
    const scripts = Object.entries(manifest(folder).scripts ?? {});
    expect(scripts.flatMap(([name, script]) => shellProblem(name, script) ?? [])).toEqual([]);
  });

  test.each([
    ["A_B=1 turbo run build", "it sets a variable before a command"],
    ["tsc && A=1 vitest", "it sets a variable before a command"],
    ["vitest --exclude '**/x'", "it quotes with '"],
    ["echo $HOME", "it expands $ or `"],
    ["tsc; vitest", "it separates commands with ;"],
    ["./run.mjs", "it starts a program by a path with /"],
    ["bash a.sh", "it starts a shell"],
    ["tsc && rm -rf dist", "it starts a program of POSIX"],
  ])("are refused when they need a POSIX shell: %s", (script, what) => {
    expect(shellProblem("x", script)).toBe(`Script "x" does not run in cmd.exe: ${what}. Do that in a module that node runs.`);
  });

  test('may have options with =, double quotes and "&&"', () => {
    expect(shellProblem("x", 'node --conditions=a ../b.ts && vitest --exclude "**/*.{a,b}.ts" && shellcheck')).toBeUndefined();
  });
});

describe.each(products)("%s", (folder) => {
  const it = manifest(folder);

  test("names its description, licence and Node versions", () => {
    expect({ ...it, description: it.description?.length }).toMatchObject({
      name: `@oarlock/${basename(folder)}`,
      license: "MIT",
      type: "module",
      engines: manifest("packages/server-kit").engines,
      scripts: { build: expect.stringMatching(/^node \.\.\/\.\.\/tooling\/build\/bundle\.ts(?: |$)/) },
    });
    expect(it.description).toMatch(/^[A-Z].{20,}\.$/);
  });

  test("exports sources to the workspace and built modules otherwise", () => {
    const hasNoMain = ["packages/create-server", "packages/extensions"].includes(folder);
    expect(Object.keys(it.exports ?? {}).includes(".")).toBe(!hasNoMain);
    for (const [name, entry] of Object.entries(it.exports ?? {})) {
      const source = /^\.\/src\/(.+)\.ts$/.exec(sourceOf(entry))?.[1] ?? "a source below src/";
      const remedy = `entry point "${name}" in "exports" of ${folder}/package.json: write these three members; the source must exist`;
      expect(entry, remedy).toEqual({
        "oarlock-source": `./src/${source}.ts`,
        types: `./dist/${source}.d.ts`,
        default: `./dist/${source}.js`,
      });
      expect(existsSync(join(root, folder, `src/${source}.ts`))).toBe(true);
    }
  });

  test("publishes its dist folder, or is private", () => {
    expect(it.private === true || it.files?.includes("dist")).toBe(true);
  });
});

const published = products.filter((folder) => manifest(folder).private !== true);

// npm refuses provenance for a package without a repository.
test.each(published)("%s names its repository", (folder) => {
  const { repository } = manifest(folder);
  expect(repository).toEqual({ type: "git", url: manifest("servers/git").repository?.url, directory: folder });
});

function sourceOf(entry: unknown): string {
  return typeof entry === "object" && entry !== null && "oarlock-source" in entry ? String(entry["oarlock-source"]) : "";
}

test.each(servers)("%s has one binary, named after it", (folder) => {
  expect(manifest(folder).bin).toEqual({ [`oarlock-${basename(folder)}`]: "dist/bin.js" });
});

test("gives the kit no dependency", () => {
  expect(manifest("packages/server-kit").dependencies).toBeUndefined();
});

test("keeps the line ends of .gitattributes in the repository and in a clone", () => {
  const ends = execFileSync("git", ["ls-files", "--eol"], { cwd: root, encoding: "utf8" }).trimEnd().split("\n");
  expect(ends.length).toBeGreaterThan(1000);
  expect(ends.filter((line) => !/^i\/(lf +w\/lf|none +w\/none|-text +w\/-text) /.test(line) && !/ w\/ +attr/.test(line))).toEqual([]);
});

describe("no file contains", () => {
  const escape = (words: string): string => words.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { cwd: root, encoding: "utf8" })
    .split("\n")
    .filter((path) => path !== "" && existsSync(join(root, path)));
  const naming = (words: RegExp): string[] => files.filter((path) => words.test(text(path)));

  test("a path of this machine", () => {
    const places = [root, dirname(root), homedir()].map((path) => path.replace(/\/$/, "")).filter((path) => !COMMON.includes(path));
    for (const place of places) expect(naming(new RegExp(`(^|[^\\w.])${escape(place)}/`, "m"))).toEqual([]);
  });

  test("the registry that this machine installs from", () => {
    const registry = outputSync("npm", ["config", "get", "registry"]);
    const { host } = new URL(registry);
    if (host !== "registry.npmjs.org") expect(naming(new RegExp(escape(host)))).toEqual([]);
  });

  test("a registry in a file that decides the source of packages", () => {
    const deciding = files.filter((path) => /(^|\/)(pnpm-lock\.yaml|pnpm-workspace\.yaml|\.npmrc|package\.json)$/.test(path));
    expect(deciding.length).toBeGreaterThan(2);
    // A setting, as `registry=…`, `@scope:registry=…`, `"registry": …`; not the folder or the script of that name.
    const setting = /tarball:|(?<![\w/-])(npm)?registr(y|ies)(["']\s*:|\s*=|:\s)/i;
    expect(deciding.filter((path) => setting.test(text(path)))).toEqual([]);
    expect(["registry=x", '"@a:registry":"x"', "npmRegistry: x", "@a:registry=x"].every((line) => setting.test(line))).toBe(true);
  });
});
