/** The commands of the release, run as the workflow runs them. */
import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { packageOf, SERVERS } from "../src/about.ts";
import { written } from "../src/generated-files.ts";
import { folderOf, manifestOf, root } from "../src/repository.ts";

test("turns a changeset into a version, a changelog and new descriptions", async () => {
  await using copy = tempFolder();
  const clone = copy.at("clone");
  const wanted = [
    "package.json",
    "**/package.json",
    "pnpm-workspace.yaml",
    "servers/*/README.md",
    "servers/*/src/server.ts",
    "packages/client/src/version.ts",
    "docs/*",
    "docs/badges/*",
    "{packages,servers}/*/CHANGELOG.md",
    "**/.claude-plugin/*",
    "servers/*/hooks/*",
    ".changeset/*",
  ];
  const files = execFileSync("git", ["ls-files", "--", ...wanted.map((glob) => `:(glob)${glob}`)], { cwd: root, encoding: "utf8" });
  for (const file of files.trim().split("\n")) cpSync(join(root, file), join(clone, file));
  const git = (...args: string[]): string =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@a", ...args], { cwd: clone, encoding: "utf8" });
  git("init", "--quiet", "--initial-branch=main");
  git("add", "--all");
  git("commit", "--quiet", "--message=before");
  const [about] = SERVERS;
  if (about === undefined) throw new Error("no server");
  const before = manifestOf(folderOf(about, clone)).version;
  const next = before.replace(/\d+\.\d+$/, (minor) => `${Number.parseInt(minor, 10) + 1}.0`);
  copy.write({ [`clone/.changeset/one.md`]: `---\n"${packageOf(about)}": minor\n---\n\nSomething new.\n` });
  execFileSync(process.execPath, [join(root, "node_modules/@changesets/cli/bin.js"), "version"], { cwd: clone, encoding: "utf8" });
  for (const [file, text] of await written(clone)) writeFileSync(file, text);
  const { version } = manifestOf(folderOf(about, clone));
  const entry = JSON.parse(readFileSync(join(clone, "servers", about.name, "server.json"), "utf8")) as {
    version: string;
    packages: object[];
  };
  expect([version, entry.version, entry.packages[0]]).toEqual([next, next, expect.objectContaining({ version: next })]);
  expect(readFileSync(join(clone, "servers", about.name, "src/server.ts"), "utf8")).toContain(`\nexport const version = "${next}";\n`);
  expect(readFileSync(join(clone, "servers", about.name, "CHANGELOG.md"), "utf8")).toContain("Something new.");
});
