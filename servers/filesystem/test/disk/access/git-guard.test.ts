// Which paths belong to git beside `.git` itself: git directories of another name, and what links in a git directory lead to.
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { Area } from "../../../src/disk/access/area.ts";
import { editText } from "../../../src/disk/edit/file-editor.ts";
import { copy } from "../../../src/disk/transfer/copy.ts";
import { deletePath, moveToTrash } from "../../../src/disk/transfer/delete.ts";
import { move } from "../../../src/disk/transfer/move.ts";
import { Trash } from "../../../src/disk/trash/trash.ts";
import { makeFolder } from "../../../src/disk/write/directory-maker.ts";
import { writeText } from "../../../src/disk/write/text-writer.ts";
import { refuses, world } from "../support/world.ts";

const MISSING = Symbol("missing");

/** A string is content, null a folder, { link } a link. */
type Files = Readonly<Record<string, string | null | { readonly link: string }>>;

async function tree(files: Files) {
  const { base, root, open } = world();
  const all: Files = { plain: "x", ...files };
  for (const [name, content] of Object.entries(all)) {
    const path = join(root, name);
    mkdirSync(content === null ? path : dirname(path), { recursive: true });
    if (typeof content === "string") writeFileSync(path, content);
    else if (content !== null) symlinkSync(content.link, path);
  }
  const read = (name: string) => (existsSync(join(root, name)) ? readFileSync(join(root, name), "utf8") : MISSING);
  return { base, root, area: await open(), at: (name: string) => join(root, name), read };
}

const BARE = { "r/HEAD": "ref: refs/heads/main\n", "r/config": "old", "r/objects": null, "r/refs": null, "r/hooks/h": "old" };

const changes = (area: Area, path: string): (() => unknown)[] => [
  () => writeText(area, path, "x"),
  () => writeText(area, path, "x", { mode: "append" }),
  () => writeText(area, path, "x", { createDirectories: true }),
  () => editText(area, path, [{ oldText: "old", newText: "x" }]),
  () => copy(area, "plain", path, { overwrite: true }),
  () => move(area, "plain", path, { overwrite: true }),
  () => move(area, path, "elsewhere"),
  () => deletePath(area, path, {}),
];

test.each(["r/config", "r/hooks/h"])("refuses changes of %s in a bare repository", async (name) => {
  const { area, at, read } = await tree(BARE);
  await refuses("denied", ...changes(area, at(name)), () => makeFolder(area, at("r/hooks/new")));
  expect(read(name)).toBe("old");
});

test("refuses to copy, move or delete a bare repository, and a directory with one", async () => {
  const { base, area } = await tree({ ...BARE, "d/e/HEAD": "x", "d/e/objects": null, "d/e/refs": null });
  const trash = new Trash(join(base, "state"));
  for (const name of ["r", "d"])
    await refuses(
      "denied",
      () => copy(area, name, "c", { recursive: true }),
      () => move(area, name, "m"),
      () => deletePath(area, name, { recursive: true }),
      () => moveToTrash(area, name, trash, 1, { recursive: true }),
    );
});

test.each<[string, Files, (area: Area) => unknown]>([
  ["HEAD by a write", { "r/objects": null, "r/refs": null }, (area) => writeText(area, "r/HEAD", "x")],
  ["HEAD by a move", { "r/objects": null, "r/refs": null }, (area) => move(area, "plain", "r/HEAD")],
  ["HEAD by a copy", { "r/objects": null, "r/refs": null }, (area) => copy(area, "plain", "r/HEAD")],
  ["objects", { "r/HEAD": "x", "r/refs": null }, (area) => makeFolder(area, "r/objects")],
  [
    "refs with what is below",
    { "r/HEAD": "x", "r/objects": null },
    (area) => writeText(area, "r/refs/heads/main", "x", { createDirectories: true }),
  ],
  ["refs by a move", { "r/HEAD": "x", "r/objects": null, d: null }, (area) => move(area, "d", "r/refs")],
  ["a work tree's commondir", { "r/HEAD": "x" }, (area) => writeText(area, "r/commondir", "x")],
])("refuses to complete a git directory by its last part: %s", async (_what, files, act) => {
  const { area } = await tree(files);
  await refuses("denied", () => act(area));
});

test.each<[string, Files, string]>([
  ["a file", { ".git/HEAD": "x", ".git/config": { link: "../cfg" }, cfg: "old" }, "cfg"],
  ["a file of two hops", { ".git/HEAD": "x", ".git/config": { link: "../l" }, l: { link: "cfg" }, cfg: "old" }, "cfg"],
  ["a folder", { ".git/HEAD": "x", ".git/hooks": { link: "../h" }, "h/f": "old" }, "h/f"],
  ["a hook", { ".git/hooks/pre-commit": { link: "../../s/f" }, "s/f": "old" }, "s/f"],
  ["a hook of a submodule with a name like a folder of objects", { ".git/modules/db/hooks": { link: "../../../s" }, "s/f": "old" }, "s/f"],
  ["a hook of a submodule", { ".git/modules/a/b/hooks": { link: "../../../../s" }, "s/f": "old" }, "s/f"],
  [".git itself", { "w/.git": { link: "../g" }, "g/HEAD": "x", "g/f": "old" }, "g/f"],
  ["a .git file", { "w/.git": "gitdir: ../g\n", "g/HEAD": "x", "g/f": "old" }, "g/f"],
  ["the folder behind a .git file", { "w/.git": "gitdir: ../g\n", "g/hooks": { link: "../s" }, "s/f": "old" }, "s/f"],
  ["a repository below", { "a/.git/hooks": { link: "../../s" }, "s/f": "old" }, "s/f"],
  ["a bare repository below", { "a/HEAD": "x", "a/objects": null, "a/refs": null, "a/hooks": { link: "../s" }, "s/f": "old" }, "s/f"],
])("refuses to change the target of a link in a git directory: %s", async (_what, files, name) => {
  const { area, at, read } = await tree(files);
  await refuses("denied", ...changes(area, at(name)));
  expect(read(name)).toBe("old");
});

test("refuses to create the target of a link named .git", async () => {
  const { area } = await tree({ ".git": { link: "later" } });
  await refuses("denied", () => writeText(area, "later", "x"));
});

test("refuses to create the missing target of a link in a git directory, and to swap a directory above a target", async () => {
  const { area, at } = await tree({
    ".git/hooks/post-merge": { link: "../../s/new" },
    "s/f": "x",
    "d/new": "x",
    ".git/config": { link: "../p/cfg" },
    "p/cfg": "x",
  });
  await refuses(
    "denied",
    () => writeText(area, "s/new", "x"),
    () => copy(area, "plain", "s/new"),
    () => move(area, "d/new", "s/new"),
    () => move(area, "p", "q"),
    () => deletePath(area, "p", { recursive: true }),
  );
  await writeText(area, "s/f", "y");
  rmSync(at("p"), { recursive: true });
  await refuses("denied", () => move(area, "d", "p"));
});

test.each([".git", ".GIT", "git~1", "git~2", ".g\u200cit"])("refuses to move or delete a directory that holds %s", async (name) => {
  const { area } = await tree({ [`d/e/${name}/config`]: "x" });
  await refuses(
    "denied",
    () => move(area, "d", "m"),
    () => deletePath(area, "d", { recursive: true }),
  );
});

test("allows other work: git's names in another order, links of the work tree, repositories beside it", async () => {
  const { area } = await tree({
    "repo/.git/HEAD": "ref: refs/heads/main\n",
    "repo/.git/hooks/h": "x",
    "repo/.git/latest": { link: "HEAD" },
    "repo/l": { link: "f" },
    "repo/f": "old",
    "notes/HEAD": "x",
    "notes/refs": null,
  });
  await writeText(area, "repo/l", "new");
  await writeText(area, "repo/deep/er", "new", { createDirectories: true });
  await writeText(area, "notes/HEAD", "new");
  await move(area, "notes", "repo/notes");
  await deletePath(area, "repo/notes", { recursive: true });
});
