// The built command as a process: what it says where, its exit codes, and that it writes all or nothing.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { tempFolder } from "@oarlock/testing";
import { beforeAll, expect, test } from "vitest";
import { writeFolder } from "../src/write-folder.ts";
import { BIN, home, ran, requireBuilds, type Ran } from "./support/npm.ts";

beforeAll(() => requireBuilds("packages/create-server"));

const create = (cwd: string, args: readonly string[], input?: string): Promise<Ran> =>
  ran(process.execPath, [BIN, ...args], { cwd, ...(input !== undefined && { input }) });

test("--help and --version go to stdout with code 0", async () => {
  const help = await create("/", ["--help"]);
  expect(help).toMatchObject({ code: 0, stderr: "" });
  const readme = readFileSync(`${home}/README.md`, "utf8");
  expect(help.stdout.match(/--[a-z]+(?= )/g)!.toSorted()).toEqual([...new Set(readme.match(/(?<=[|,] .*`)--[a-z]+/g))].toSorted());
  const { version } = JSON.parse(readFileSync(`${home}/package.json`, "utf8")) as { version: string };
  expect(await create("/", ["-v"])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
});

test("a wrong call ends with code 2 and one sentence, and writes nothing", async () => {
  await using folder = tempFolder();
  const { code, stdout, stderr } = await create(folder.path, ["a", "--from", "svn"]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(/^Error: Invalid value of --from: expected one of .*filesystem.*, received "svn"\.\n$/);
  expect(folder.tree()).toEqual({});
});

test("without a terminal it asks nothing, whatever comes on stdin", async () => {
  await using folder = tempFolder();
  expect((await create(folder.path, [], "tea\n\n")).stderr).toBe(
    "Error: Missing name: call create-server NAME, or see create-server --help.\n",
  );
  expect((await create(folder.path, ["tea"], "coffee\ntool\n")).stdout).toMatch(
    /^Wrote tea \(5 files\)\. Next:\n\n {2}cd tea\n {2}npm install\n/,
  );
  expect(existsSync(folder.at("tea/src/server.ts"))).toBe(true);
});

test("a folder that is not empty, and one that cannot be, are refused with code 3 and left as they were", async () => {
  await using folder = tempFolder({ full: { "a.txt": "mine" }, file: "mine", begun: { ".git": { HEAD: "x" } }, empty: {} });
  const before = folder.hash();
  const told: [name: string, why: string][] = [
    ["full", `Folder ${folder.at("full")} is not empty: choose another name, or empty it first.`],
    ["file", `Path ${folder.at("file")} is a file, or below one: choose another name.`],
    ["file/below", `Path ${folder.at("file/below")} is a file, or below one: choose another name.`],
    ["/proc/none/x", "Folder /proc/none/x cannot be written (ENOENT): choose another one."],
  ];
  for (const [name, why] of told) expect(await create(folder.path, [name])).toEqual({ code: 3, stdout: "", stderr: `Error: ${why}\n` });
  expect(folder.hash()).toBe(before);
  for (const name of ["begun", "empty"]) expect(await create(folder.path, [name])).toMatchObject({ code: 0, stderr: "" });
});

test("the name that a dependency has is refused, and no other", async () => {
  await using folder = tempFolder();
  const { code, stderr } = await create(folder.path, ["zod"]);
  expect([code, stderr]).toEqual([
    2,
    'Error: Invalid package name "zod": the server depends on a package with this name. Choose another one.\n',
  ]);
  expect(folder.tree()).toEqual({});
  expect(await create(folder.path, ["constructor"])).toMatchObject({ code: 0, stderr: "" });
});

test("names and places stand in the files, also odd ones", async () => {
  await using folder = tempFolder({ "a $& b": {} });
  const { code, stdout } = await create(folder.at("a $& b"), ["@me/tea.2", "--dir", "in here", "--parts", "resource"]);
  expect([code, stdout.split("\n")[2]]).toEqual([0, '  cd "in here"']);
  const at = folder.at("a $& b", "in here");
  const manifest = JSON.parse(readFileSync(`${at}/package.json`, "utf8")) as { name: string; bin: object; dependencies: object };
  expect([manifest.name, manifest.bin, Object.keys(manifest.dependencies)]).toEqual([
    "@me/tea.2",
    { "tea.2": "dist/server.js" },
    ["@oarlock/cli", "@oarlock/server-kit"],
  ]);
  const readme = readFileSync(`${at}/README.md`, "utf8");
  expect(readme).toContain(`"tea.2": {\n      "command": "node",\n      "args": ["${at}/dist/server.js"]`);
  expect(readme).toContain('["-y", "@me/tea.2"]');
  expect(readFileSync(`${at}/src/server.ts`, "utf8")).toContain('const name = "tea.2";');
});

test.skipIf(process.platform === "win32")("a place whose name means something to a shell, and to JSON", async () => {
  await using folder = tempFolder();
  const place = `say "$HOME", it's`;
  const { stdout } = await create(folder.path, ["tea", "--dir", place]);
  const step = stdout.split("\n")[2] ?? "";
  expect(execFileSync("sh", ["-c", `${step} && pwd`], { cwd: folder.path, encoding: "utf8" })).toBe(`${folder.at(place)}\n`);
  const [, entry = ""] = /```json\n([^]*?)```/.exec(folder.read(`${place}/README.md`)) ?? [];
  expect(JSON.parse(entry)).toEqual({ mcpServers: { tea: { command: "node", args: [folder.at(place, "dist/server.js")] } } });
});

test("when something cannot be written, nothing stays behind", async () => {
  await using folder = tempFolder({ empty: {} });
  const files = new Map([
    ["a", Buffer.from("x")],
    ["a/b", Buffer.from("y")],
  ]);
  for (const name of ["deep/new", "empty"])
    expect(() => writeFolder(folder.at(name), files)).toThrow(/cannot be written \(E\w+\): choose another one\.$/);
  expect(Object.keys(folder.tree())).toEqual(["empty/"]);
});

test.each([
  ["my-server-2", "work"],
  ["@me/my-package-2", "my-server/my-package"],
])("%s in %s, named like what stands for them, keep their names", async (name, place) => {
  await using folder = tempFolder();
  expect((await create(folder.path, [name, "--dir", place])).code).toBe(0);
  const readme = folder.read(`${place}/README.md`);
  expect(readme).toContain(`"args": [${JSON.stringify(`${folder.at(place).replaceAll("\\", "/")}/dist/server.js`)}]`);
  expect(readme).toContain(`"args": ["-y", "${name}"]`);
});

test.each(["my-server-2", "oarlock-memory-2"])("a copy that is called %s is called so once", async (name) => {
  await using folder = tempFolder();
  expect((await create(folder.path, [name, "--from", "memory"])).code).toBe(0);
  expect(folder.read(`${name}/README.md`)).toContain(`${name} export`);
  expect(folder.read(`${name}/README.md`)).not.toContain("-2-2");
});
