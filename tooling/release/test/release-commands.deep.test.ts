/** The commands of the release, run as the workflow runs them. */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { packageOf, SERVERS } from "../src/about.ts";
import { written } from "../src/generated-files.ts";
import { planOf } from "../src/plan.ts";
import { folderOf, manifestOf, root } from "../src/repository.ts";

test("announces each published server, and no other", () => {
  const [git, ...others] = SERVERS.filter(({ name }) => name === "git");
  if (git === undefined || others.length > 0) throw new Error("expected one server of that name");
  const args = ["--conditions=oarlock-source", join(root, "tooling/release/src/announce.ts"), "--dry-run"];
  const PUBLISHED = JSON.stringify([{ name: packageOf(git), version: "1.2.3" }]);
  const output = execFileSync(process.execPath, args, { encoding: "utf8", env: { ...process.env, PUBLISHED } });
  expect(output.trim().split("\n")).toEqual(planOf(git, "1.2.3", "WORK").map((command) => command.join(" ")));
});

test("fails to publish a version that is not released", async () => {
  const checked = (folder: string) =>
    spawnSync(process.execPath, [join(root, "tooling/release/src/check-versions.ts"), folder], { encoding: "utf8" });
  await using folder = tempFolder({ packages: { a: { "package.json": JSON.stringify({ name: "@x/a", version: "0.0.0" }) } } });
  expect(checked(folder.path)).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^Nothing is published: version 0\.0\.0 of @x\/a\. /),
  });
  folder.write({ packages: { a: { "package.json": JSON.stringify({ name: "@x/a", version: "0.1.0" }) } } });
  expect(checked(folder.path)).toMatchObject({ status: 0, stderr: "" });
});

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
