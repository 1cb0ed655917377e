/** Descriptions of the servers are the same everywhere, and within the limits of the registry. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { commandOf, packageOf, registryNameOf, SERVERS } from "../src/about.ts";
import { folderOf, manifestOf, root } from "../src/repository.ts";
import { written } from "../src/generated-files.ts";
import { toolsetProblem } from "../src/toolsets.ts";

test.each([
  ["an undeclared one", ["remote"], 'oarlock-git has a toolset that is not declared: integrate. Add it to "toolsets" of git in '],
  ["one that is gone", ["remote", "integrate", "old"], "oarlock-git has no toolset old. Remove it from "],
  ["another order", ["integrate", "remote"], "oarlock-git lists its toolsets as remote, integrate. Write them so in "],
  ["the same", ["remote", "integrate"], undefined],
])("names the toolset that servers.json lacks, and the place: %s", (_which, toolsets, problem) => {
  const refusal =
    'Error: Unknown toolset "0" in --toolsets: expected one of default, minimal, remote, integrate. Correct it or leave it out.\n';
  const git = { ...SERVERS.find(({ name }) => name === "git")!, toolsets };
  const found = toolsetProblem(git, refusal);
  if (problem === undefined) expect(found).toBeUndefined();
  else expect(found).toContain(problem);
  expect(toolsetProblem(git, "Error: other words")).toContain("oarlock-git does not list its toolsets: Error: other words");
});

test("describes every server", () => {
  const folders = readdirSync(join(root, "servers")).filter((name) => existsSync(join(root, "servers", name, "package.json")));
  expect(SERVERS.map(({ name }) => name).toSorted()).toEqual(folders.toSorted());
});

test.each((await written()).map(([file, text]) => [relative(root, file), file, text] as const))(
  "writes %s by `node src/describe.ts`",
  (_name, file, text) => {
    expect(existsSync(file) ? readFileSync(file, "utf8") : "", `${file} is out of date: run pnpm release:describe, and commit it`).toBe(
      text,
    );
  },
);

describe.each(SERVERS)("$name", (about) => {
  const manifest = manifestOf(folderOf(about));

  test("has consistent names", () => {
    expect(manifest).toMatchObject({ name: packageOf(about), mcpName: registryNameOf(about), bin: { [commandOf(about)]: "dist/bin.js" } });
  });

  // The registry's own bounds: reverse DNS, one slash, at most 200 characters; 100 for title and description; no range as version.
  test("fits the limits of the registry", () => {
    expect(registryNameOf(about)).toMatch(/^[a-zA-Z0-9.-]{3,}\/[a-zA-Z0-9._-]{1,100}$/);
    expect(about.title.length).toBeLessThanOrEqual(100);
    expect(about.summary.length).toBeLessThanOrEqual(100);
    expect(manifest.version).toMatch(/^\d+\.\d+\.\d+$/);
  });
});
