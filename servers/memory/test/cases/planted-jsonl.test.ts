// What a stranger plants in the place of the JSONL file, and beside it, while the server runs: links, pipes and folders. Nothing of another
// file comes into the memory or into a file of it, nothing is waited for, and what was in the memory stays.
import {
  appendFileSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tempFolder, type TempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { locate } from "../../src/configured-location.ts";
import { serveInProcess, type InProcessServer } from "../support/in-process.ts";
import { namesIn } from "../support/mirror-file.ts";
import { allowWaiting, until } from "../support/patience.ts";
import { plantPipe } from "../support/planted-files.ts";

allowWaiting();

const SECRET = "aws_secret_access_key = CANARY\n";

interface Planted extends AsyncDisposable {
  readonly folder: TempFolder;
  readonly server: InProcessServer;
}

/** A memory with one entity, its JSONL file, and a file outside. */
async function setUp(): Promise<Planted> {
  const folder = tempFolder({ outside: { "secret.txt": SECRET }, sync: {} });
  const server = await serveInProcess(folder.at("sync/m.jsonl"));
  await server.create("a");
  await until(
    () => existsSync(folder.at("sync/m.jsonl")),
    (isThere) => isThere,
  );
  return {
    folder,
    server,
    async [Symbol.asyncDispose]() {
      await server.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** Files of the memory that hold a text of the file outside. */
const leaks = (folder: TempFolder): string[] =>
  readdirSync(folder.at("sync")).filter(
    (name) => lstatSync(folder.at("sync", name)).isFile() && folder.read("sync", name).includes("CANARY"),
  );

const warned = (server: InProcessServer, text: string): Promise<string> =>
  until(
    () => server.stderr,
    (stderr) => stderr.includes(text),
  );

/** Puts a link to the file outside in the place of the JSONL file. */
function plantLink({ folder }: Planted): void {
  symlinkSync(folder.at("outside/secret.txt"), folder.at("sync/link"));
  renameSync(folder.at("sync/link"), folder.at("sync/m.jsonl"));
}

test("refuses a link in place of the JSONL file", async () => {
  await using at = await setUp();
  const { folder, server } = at;
  plantLink(at);
  await warned(server, "File m.jsonl is a symbolic link: expected a regular file. Remove the link.");
  await server.create("b");
  await server.close();
  expect(leaks(folder)).toEqual([]);
  expect(folder.read("outside/secret.txt")).toBe(SECRET);
  expect(lstatSync(folder.at("sync/m.jsonl")).isSymbolicLink()).toBe(true);
  expect(existsSync(folder.at("sync/m.jsonl.damaged"))).toBe(false);
  rmSync(folder.at("sync/m.jsonl"));
  await using again = await serveInProcess(folder.at("sync/m.jsonl"));
  expect(await again.names()).toEqual(["a", "b"]);
});

test("a JSONL file that has become a link is written again when the link is removed", async () => {
  await using at = await setUp();
  plantLink(at);
  await warned(at.server, "is a symbolic link");
  rmSync(at.folder.at("sync/m.jsonl"));
  await at.server.create("b");
  await at.server.close();
  expect(namesIn(at.folder.at("sync/m.jsonl"))).toEqual(["a", "b"]);
});

test.each(["link", "pipe", "directory"])("a %s in the place of the side file keeps damaged lines where they are", async (kind) => {
  await using at = await setUp();
  const { folder, server } = at;
  const side = folder.at("sync/m.jsonl.damaged");
  using _planted = kind === "pipe" ? plantPipe(side) : undefined;
  if (kind === "link") symlinkSync(folder.at("outside/new.txt"), side);
  if (kind === "directory") mkdirSync(side);
  appendFileSync(folder.at("sync/m.jsonl"), "not json\n");
  const found = await warned(server, "File m.jsonl.damaged is a");
  expect(found).toContain(`${kind}: expected a regular file. Remove`);
  await server.create("b");
  expect(await server.names()).toEqual(["a", "b"]);
  expect(folder.read("sync/m.jsonl")).toContain("not json\n");
  expect(readdirSync(folder.at("outside"))).toEqual(["secret.txt"]);
});

test("drops a late append to a file that has become a link", async () => {
  await using at = await setUp();
  const { folder, server } = at;
  const editor = openSync(folder.at("sync/m.jsonl"), "a");
  await server.create("b");
  await until(
    () => namesIn(folder.at("sync/m.jsonl")).length,
    (count) => count === 2,
  );
  writeSync(editor, "late\n");
  closeSync(editor);
  plantLink(at);
  await server.close();
  expect(folder.read("outside/secret.txt")).toBe(SECRET);
  expect(server.stderr).toContain("File m.jsonl is a symbolic link");
});

test("starts beside a folder with the name of a temporary file", async () => {
  await using folder = tempFolder({ sync: { "m.jsonl.oarlock-999999999-x.tmp": {} } });
  await using server = await serveInProcess(folder.at("sync/m.jsonl"));
  await server.create("a");
  expect(existsSync(folder.at("sync/m.jsonl.oarlock-999999999-x.tmp"))).toBe(true);
});

test("does not enter the folder of the JSONL file once it is a link", async () => {
  await using at = await setUp();
  const { folder, server } = at;
  mkdirSync(folder.at("outside/sync"));
  writeFileSync(folder.at("outside/sync/m.jsonl"), SECRET);
  renameSync(folder.at("sync"), folder.at("moved"));
  symlinkSync(folder.at("outside/sync"), folder.at("sync"));
  await warned(server, "Folder of m.jsonl replaced: a link or a file has its name");
  await server.close();
  expect(readdirSync(folder.at("outside/sync"))).toEqual(["m.jsonl"]);
  expect(folder.read("outside/sync/m.jsonl")).toBe(SECRET);
});

test.each(["aws_secret_access_key = CANARY\n", '{\n  "auths": {}\n}\n', '["x"]'])(
  "refuses a start through a link to the file %j, which holds no memory",
  async (content) => {
    await using folder = tempFolder({ outside: { "secret.txt": content }, sync: {} });
    symlinkSync(folder.at("outside/secret.txt"), folder.at("sync/m.jsonl"));
    expect(() => locate(folder.at("sync/m.jsonl"), {})).toThrow("m.jsonl is a link to a file that is not a memory");
    expect(folder.read("outside/secret.txt")).toBe(content);
    expect(readdirSync(folder.at("outside"))).toEqual(["secret.txt"]);
  },
);

test.each([
  "",
  "\n",
  '{"type":"entity","name":"a","entityType":"t","observations":[]}\n',
  '[{"type":"entity","name":"a"}]',
  '{\n "entities": []}',
])("serves a start through a link to the file %j", async (content) => {
  await using folder = tempFolder({ dotfiles: { "m.jsonl": content }, home: {} });
  symlinkSync(folder.at("dotfiles/m.jsonl"), folder.at("home/m.jsonl"));
  expect(locate(folder.at("home/m.jsonl"), {})).toMatchObject({ mirror: folder.at("dotfiles/m.jsonl") });
});
