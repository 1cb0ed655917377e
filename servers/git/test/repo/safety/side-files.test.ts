// Files that git looks for beside others (`.gitattributes`, `.gitignore`) where their folder is none any more.
import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { world, type World } from "../../support/world.ts";

const LONG = "n".repeat(200);

const PLACES = [
  { title: "a file", put: (folder: string) => writeFileSync(folder, "x\n") },
  // git itself passes over what it cannot look at.
  { title: "a circle of links", put: (folder: string) => symlinkSync(folder, folder), named: "" },
  { title: "a link to nothing", put: (folder: string) => symlinkSync("missing", folder) },
  { title: "missing", put: () => undefined },
];

/** A tracked folder with attributes and ignore files is replaced. */
async function replaced(put: (folder: string) => void): Promise<World> {
  const tree = {
    ".gitattributes": "*.bin filter=x\n",
    d: { ".gitattributes": "*.bin filter=x\n", ".gitignore": "y\n", e: { "a.txt": "a\n" } },
  };
  const at = await world({ tree: { ...tree, "b.txt": "b\n" } });
  const folder = join(at.repository.path, "d");
  rmSync(folder, { recursive: true });
  put(folder);
  return at;
}

test.each(PLACES)("reads and stages work with a tracked folder that is $title", async ({ put, named = "d/e/a.txt" }) => {
  await using at = await replaced(put);
  expect((await at.call("git_status")).text).toContain("On branch main");
  for (const format of ["patch", "stat", "names"]) expect((await at.call("git_diff_unstaged", { format })).text).toContain(named);
  expect((await at.call("git_diff", { target: "HEAD" })).text).toContain(named);
  expect((await at.call("git_grep", { pattern: "b" })).text).toContain("b.txt");
  expect((await at.call("git_blame", { path: "d/e/a.txt", revision: "HEAD" })).text).toContain("a");
  await at.call("git_add", { files: ["d"] });
  expect((await at.call("git_diff_staged")).text).toContain("d/e/a.txt");
});

test("compares a name that is too long for the file system like a missing one", async () => {
  await using at = await world({ tree: { "a.txt": "a\n" } });
  const path = `${LONG}/${LONG}${LONG}/a.txt`;
  const blob = at.repository.git("rev-parse", "HEAD:a.txt");
  at.repository.git("update-index", "--add", "--cacheinfo", `100644,${blob},${path}`);
  expect((await at.call("git_diff_unstaged")).text).toContain("deleted file");
  expect((await at.call("git_status")).text).toContain(LONG);
});
