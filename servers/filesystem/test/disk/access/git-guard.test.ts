// Which paths belong to git beside `.git` itself: git directories of another name, and what links in a git directory lead to.
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { Sandbox } from "../../../src/disk/access/sandbox.ts";
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
  return { base, root, sandbox: await open(), at: (name: string) => join(root, name), read };
}

const BARE = { "r/HEAD": "ref: refs/heads/main\n", "r/config": "old", "r/objects": null, "r/refs": null, "r/hooks/h": "old" };

const changes = (sandbox: Sandbox, path: string): (() => unknown)[] => [
  () => writeText(sandbox, path, "x"),
  () => writeText(sandbox, path, "x", { mode: "append" }),
  () => writeText(sandbox, path, "x", { createDirectories: true }),
  () => editText(sandbox, path, [{ oldText: "old", newText: "x" }]),
  () => copy(sandbox, "plain", path, { overwrite: true }),
  () => move(sandbox, "plain", path, { overwrite: true }),
  () => move(sandbox, path, "elsewhere"),
  () => deletePath(sandbox, path, {}),
];

test.each(["r/config", "r/hooks/h"])("refuses changes of %s in a bare repository", async (name) => {
  const { sandbox, at, read } = await tree(BARE);
  await refuses("denied", ...changes(sandbox, at(name)), () => makeFolder(sandbox, at("r/hooks/new")));
  expect(read(name)).toBe("old");
});

test("refuses to copy, move or delete a bare repository, and a directory with one", async () => {
  const { base, sandbox } = await tree({ ...BARE, "d/e/HEAD": "x", "d/e/objects": null, "d/e/refs": null });
  const trash = new Trash(join(base, "state"));
  for (const name of ["r", "d"])
    await refuses(
      "denied",
      () => copy(sandbox, name, "c", { recursive: true }),
      () => move(sandbox, name, "m"),
      () => deletePath(sandbox, name, { recursive: true }),
      () => moveToTrash(sandbox, name, trash, 1, { recursive: true }),
    );
});

test.each<[string, Files, (sandbox: Sandbox) => unknown]>([
  ["HEAD by a write", { "r/objects": null, "r/refs": null }, (sandbox) => writeText(sandbox, "r/HEAD", "x")],
  ["HEAD by a move", { "r/objects": null, "r/refs": null }, (sandbox) => move(sandbox, "plain", "r/HEAD")],
  ["HEAD by a copy", { "r/objects": null, "r/refs": null }, (sandbox) => copy(sandbox, "plain", "r/HEAD")],
  ["objects", { "r/HEAD": "x", "r/refs": null }, (sandbox) => makeFolder(sandbox, "r/objects")],
  [
    "refs with what is below",
    { "r/HEAD": "x", "r/objects": null },
    (sandbox) => writeText(sandbox, "r/refs/heads/main", "x", { createDirectories: true }),
  ],
  ["refs by a move", { "r/HEAD": "x", "r/objects": null, d: null }, (sandbox) => move(sandbox, "d", "r/refs")],
  ["a work tree's commondir", { "r/HEAD": "x" }, (sandbox) => writeText(sandbox, "r/commondir", "x")],
])("refuses to complete a git directory by its last part: %s", async (_what, files, act) => {
  const { sandbox } = await tree(files);
  await refuses("denied", () => act(sandbox));
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
  const { sandbox, at, read } = await tree(files);
  await refuses("denied", ...changes(sandbox, at(name)));
  expect(read(name)).toBe("old");
});

test("refuses to create the target of a link named .git", async () => {
  const { sandbox } = await tree({ ".git": { link: "later" } });
  await refuses("denied", () => writeText(sandbox, "later", "x"));
});

test("refuses to create the missing target of a link in a git directory, and to swap a directory above a target", async () => {
  const { sandbox, at } = await tree({
    ".git/hooks/post-merge": { link: "../../s/new" },
    "s/f": "x",
    "d/new": "x",
    ".git/config": { link: "../p/cfg" },
    "p/cfg": "x",
  });
  await refuses(
    "denied",
    () => writeText(sandbox, "s/new", "x"),
    () => copy(sandbox, "plain", "s/new"),
    () => move(sandbox, "d/new", "s/new"),
    () => move(sandbox, "p", "q"),
    () => deletePath(sandbox, "p", { recursive: true }),
  );
  await writeText(sandbox, "s/f", "y");
  rmSync(at("p"), { recursive: true });
  await refuses("denied", () => move(sandbox, "d", "p"));
});

test.each([".git", ".GIT", "git~1", "git~2", ".g\u200cit"])("refuses to move or delete a directory that holds %s", async (name) => {
  const { sandbox } = await tree({ [`d/e/${name}/config`]: "x" });
  await refuses(
    "denied",
    () => move(sandbox, "d", "m"),
    () => deletePath(sandbox, "d", { recursive: true }),
  );
});

test("sees a repository in a directory that had only files, as soon as it is there", async () => {
  const { sandbox, at } = await tree({ "d/f": "old", "d/g": "x" });
  await writeText(sandbox, "d/f", "new");
  mkdirSync(at("d/w/.git/hooks"), { recursive: true });
  symlinkSync("../../../f", at("d/w/.git/hooks/post-merge"));
  await refuses("denied", () => writeText(sandbox, "d/f", "again"));
  await writeText(sandbox, "d/g", "new");
});

test("allows other work: git's names in another order, links of the work tree, repositories beside it", async () => {
  const { sandbox } = await tree({
    "repo/.git/HEAD": "ref: refs/heads/main\n",
    "repo/.git/hooks/h": "x",
    "repo/.git/latest": { link: "HEAD" },
    "repo/l": { link: "f" },
    "repo/f": "old",
    "notes/HEAD": "x",
    "notes/refs": null,
  });
  await writeText(sandbox, "repo/l", "new");
  await writeText(sandbox, "repo/deep/er", "new", { createDirectories: true });
  await writeText(sandbox, "notes/HEAD", "new");
  await move(sandbox, "notes", "repo/notes");
  await deletePath(sandbox, "repo/notes", { recursive: true });
});
