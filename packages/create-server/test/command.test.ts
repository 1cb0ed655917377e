// The command: its output, its errors, and that it writes all files or none.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { needs, tempFolder } from "@oarlock/testing";
import { beforeAll, expect, test } from "vitest";
import { CommandError } from "../src/command-error.ts";
import { runCommand } from "../src/command.ts";
import { quoteForShell } from "../src/messages.ts";
import { writeFolder } from "../src/write-folder.ts";
import { home, requireBuilds } from "./support/repository.ts";

beforeAll(() => requireBuilds("packages/create-server"));

interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

/** `input`: of a pipe, not of a terminal. */
async function create(cwd: string, args: readonly string[], input = ""): Promise<Ran> {
  const stdin = Readable.from([input]);
  try {
    const stdout = await runCommand({ argv: ["node", "create-server", ...args], env: {}, cwd: () => cwd, stdin, stderr: process.stderr });
    return { code: 0, stdout, stderr: "" };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return { code: error.exitCode, stdout: "", stderr: `Error: ${error.message}\n` };
  }
}

test("writes --help and --version to stdout and exits with code 0", async () => {
  const help = await create("/", ["--help"]);
  expect(help).toMatchObject({ code: 0, stderr: "" });
  const readme = readFileSync(`${home}/README.md`, "utf8");
  expect(help.stdout.match(/--[a-z]+(?= )/g)!.toSorted()).toEqual([...new Set(readme.match(/(?<=[|,] .*`)--[a-z]+/g))].toSorted());
  const { version } = JSON.parse(readFileSync(`${home}/package.json`, "utf8")) as { version: string };
  expect(await create("/", ["-v"])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
});

test("exits with code 2 and one sentence on wrong usage, and writes no files", async () => {
  await using folder = tempFolder();
  const { code, stdout, stderr } = await create(folder.path, ["a", "--from", "svn"]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(/^Error: Invalid value of --from: expected one of .*filesystem.*, received "svn"\.\n$/);
  expect(folder.tree()).toEqual({});
});

test("strips control characters and marks from printed names", async () => {
  await using folder = tempFolder({ "a\u001b]0;x\u0007\u202e\nError: b": { full: "" } });
  const name = "a\u001b]0;x\u0007\u202e\nError: b";
  for (const args of [
    [name],
    [`${name}/full`],
    ["ok", "--from", name],
    ["ok", `--${name}`],
    ["ok", "--parts", name],
    ["ok", "--kit", `./${name}.tgz`],
  ])
    expect((await create(folder.path, args)).stderr).toMatch(/^Error: [\x20-\x7e…]*\n$/);
  const { code, stdout } = await create(folder.path, ["ok", "--dir", `${name}/new's\\`]);
  expect({ code, lines: stdout.split("\n").length }).toEqual({ code: 0, lines: 11 });
  const [, quoted = ""] = /^ {2}cd (.+)$/m.exec(stdout) ?? [];
  expect(stdout).toMatch(/^[\n\x20-\x7e]*$/);
  const inShell = execFileSync("bash", ["-c", `cd ${quoted} && ls`], {
    cwd: folder.path,
    encoding: "utf8",
    env: { ...process.env, LC_ALL: "C.UTF-8" },
  });
  expect(inShell).toContain("package.json");
});

test("ignores stdin without a terminal", async () => {
  await using folder = tempFolder();
  expect((await create(folder.path, [], "tea\n\n")).stderr).toBe(
    "Error: Missing name: call create-server NAME, or see create-server --help.\n",
  );
  expect((await create(folder.path, ["tea"], "coffee\ntool\n")).stdout).toMatch(
    /^Wrote tea \(6 files\)\. Next:\n\n {2}cd tea\n {2}npm install\n/,
  );
  expect(existsSync(folder.at("tea/src/server.ts"))).toBe(true);
});

test("refuses a folder that is not empty or cannot be written with code 3, and leaves it unchanged", async () => {
  await using folder = tempFolder({ full: { "a.txt": "mine" }, file: "mine", begun: { ".git": { HEAD: "x" } }, empty: {} });
  const before = folder.hash();
  const refused: [name: string, why: string][] = [
    ["full", `Folder ${folder.at("full")} is not empty: choose another name, or empty it first.`],
    ["file", `Path ${folder.at("file")} is a file, or below one: choose another name.`],
    ["file/below", `Path ${folder.at("file/below")} is a file, or below one: choose another name.`],
    ["/proc/none/x", "Folder /proc/none/x cannot be written (ENOENT): choose another one."],
  ];
  for (const [name, why] of refused) expect(await create(folder.path, [name])).toEqual({ code: 3, stdout: "", stderr: `Error: ${why}\n` });
  expect(folder.hash()).toBe(before);
  for (const name of ["begun", "empty"]) expect(await create(folder.path, [name])).toMatchObject({ code: 0, stderr: "" });
});

test("refuses the name of a dependency", async () => {
  await using folder = tempFolder();
  const { code, stderr } = await create(folder.path, ["zod"]);
  expect([code, stderr]).toEqual([
    2,
    'Error: Invalid package name "zod": the server depends on a package with this name. Choose another one.\n',
  ]);
  expect(folder.tree()).toEqual({});
  expect(await create(folder.path, ["constructor"])).toMatchObject({ code: 0, stderr: "" });
});

test("writes names and paths with special characters into the files", async () => {
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
  expect(readFileSync(`${at}/src/server.ts`, "utf8")).not.toContain("tea.2");
});

test("quotes a path for the shell and for JSON", needs("shell scripts"), async () => {
  await using folder = tempFolder();
  const place = `say "$HOME", it's`;
  const { stdout } = await create(folder.path, ["tea", "--dir", place]);
  const step = stdout.split("\n")[2] ?? "";
  expect(execFileSync("sh", ["-c", `${step} && pwd`], { cwd: folder.path, encoding: "utf8" })).toBe(`${folder.at(place)}\n`);
  const [, entry = ""] = /## From source\n[^]*?```json\n([^]*?)```/.exec(folder.read(`${place}/README.md`)) ?? [];
  expect(JSON.parse(entry)).toEqual({ mcpServers: { tea: { command: "node", args: [folder.at(place, "dist/server.js")] } } });
});

test.each([
  ["a-b/c", "a-b/c", "a-b/c"],
  ["a b", '"a b"', '"a b"'],
  ["a's $HOME", String.raw`'a'\''s $HOME'`, "'a''s $HOME'"],
  [String.raw`a\b`, String.raw`'a\b'`, String.raw`"a\b"`],
])("quotes %s for sh and for the shells of Windows", (path, posix, windows) => {
  expect([quoteForShell(path, false), quoteForShell(path, true)]).toEqual([posix, windows]);
});

test("removes what it wrote when a file cannot be written", async () => {
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
])("keeps the names %s in %s, which contain placeholders", async (name, place) => {
  await using folder = tempFolder();
  expect((await create(folder.path, [name, "--dir", place])).code).toBe(0);
  const readme = folder.read(`${place}/README.md`);
  expect(readme).toContain(`"args": [${JSON.stringify(`${folder.at(place).replaceAll("\\", "/")}/dist/server.js`)}]`);
  expect(readme).toContain(`"args": ["-y", "${name}"]`);
});

test("writes the tarballs of all packages for npm and for pnpm", async () => {
  const tarballs = { "oarlock-server-kit-0.1.0.tgz": "x", "oarlock-cli-0.1.0.tgz": "x", "oarlock-client-0.1.0.tgz": "x" };
  await using folder = tempFolder({ tarballs });
  const at = (name: string): string => `file:${folder.at(`tarballs/oarlock-${name}-0.1.0.tgz`)}`;
  expect((await create(folder.path, ["tea", "--kit", "tarballs"])).code).toBe(0);
  const manifest = JSON.parse(folder.read("tea/package.json")) as { dependencies: object; overrides: object };
  expect(manifest).toMatchObject({
    dependencies: { "@oarlock/cli": at("cli"), "@oarlock/server-kit": at("server-kit") },
    overrides: { "@oarlock/client": at("client") },
  });
  const lines = ["cli", "client", "server-kit"].map((name) => `  "@oarlock/${name}": "${at(name)}"\n`);
  const settings = folder.read("tea/pnpm-workspace.yaml");
  expect(settings.split(/(?<=\n)/).toSorted()).toEqual([...lines, "overrides:\n"].toSorted());
});
