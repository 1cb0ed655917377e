/** The release, as far as it can be tested without releasing: scripts exist, actions are pinned, steps are complete. */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempFolder, withMode } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { packageOf, REPOSITORY, SERVERS } from "../src/about.ts";
import { folderOf, manifestOf, publishedFolders, root } from "../src/repository.ts";
import { planOf } from "../src/plan.ts";
import { written } from "../src/generated-files.ts";

const workflow = readFileSync(join(root, ".github/workflows/release.yml"), "utf8");
const { scripts, packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  scripts: Record<string, string>;
  packageManager: string;
}; // our own

interface Job {
  readonly permissions: Readonly<Record<string, string>>;
  readonly steps: readonly { readonly env?: object; readonly with?: Readonly<Record<string, unknown>> }[];
}

test("the workflow runs scripts that exist, by the pnpm of this repository", () => {
  const runs = [...workflow.matchAll(/(?:npx -y (\S+) run |run: npm )(\S+)/g)];
  expect(runs.map(([, , script]) => script)).toEqual(["test", "release:version", "release:publish", "release:announce"]);
  for (const [, pnpm = packageManager, script = ""] of runs) {
    expect(pnpm).toBe(packageManager);
    expect(Object.keys(scripts)).toContain(script);
  }
});

test("the workflow of every push runs scripts and files that exist, by the pnpm of this repository", () => {
  const ci = readFileSync(join(root, ".github/workflows/ci.yml"), "utf8");
  const commands = [...ci.matchAll(/run: npx -y (\S+) (\S+)/g)].map(([, pnpm = "", script = ""]) => ({ pnpm, script }));
  expect(commands.length).toBeGreaterThan(3);
  for (const { pnpm, script } of commands) {
    expect(pnpm).toBe(packageManager);
    expect(["install", ...Object.keys(scripts)]).toContain(script);
  }
  const files = [...ci.matchAll(/\bnode (\S+\.ts)/g)].map(([, file = ""]) => existsSync(join(root, file)));
  expect(files).toEqual([true]);
});

test("every action of every workflow is pinned by its hash", () => {
  const uses = globSync("*.yml", { cwd: join(root, ".github/workflows") }).flatMap((file) =>
    [...readFileSync(join(root, ".github/workflows", file), "utf8").matchAll(/uses: (\S+)(.*)/g)].map(([, name, rest]) => [name, rest]),
  );
  expect(uses.length).toBeGreaterThan(3);
  for (const [name, rest] of uses)
    expect([name, rest]).toEqual([expect.stringMatching(/^[\w.-]+\/[\w.-]+@[0-9a-f]{40}$/), expect.stringMatching(/^ # v\d/)]);
});

describe.each(SERVERS)("$name", (about) => {
  test("gets a bundle on its release and a registry entry after publication", () => {
    const PUBLISHED = JSON.stringify([{ name: packageOf(about), version: "1.2.3" }]);
    const args = ["--conditions=oarlock-source", join(root, "tooling/release/src/announce.ts"), "--dry-run"];
    const output = execFileSync(process.execPath, args, { encoding: "utf8", env: { ...process.env, PUBLISHED } });
    expect(output.trim().split("\n")).toEqual([
      `node ${join(root, "tooling/release/src/bundle.ts")} ${about.name} 1.2.3 WORK`,
      `gh release upload @oarlock/${about.name}@1.2.3 WORK/oarlock-${about.name}-1.2.3.mcpb`,
      "go run github.com/modelcontextprotocol/registry/cmd/publisher@v1.8.0 login github-oidc",
      "go run github.com/modelcontextprotocol/registry/cmd/publisher@v1.8.0 publish",
    ]);
  });

  test("needs only programs that the workflow installs or every runner has", () => {
    const programs = planOf(about, "1.2.3", "WORK").map(([program]) => program);
    expect([...new Set(programs)]).toEqual(["node", "gh", "go"]);
  });

  test("builds its image for two processors from npm, with an unprivileged user", async () => {
    await using folder = tempFolder({ docker: withMode(0o755, '#!/bin/sh\necho "$@"\n') });
    const env = {
      ...process.env,
      DOCKER: folder.at("docker"),
      NAME: packageOf(about),
      VERSION: "1.2.3",
      GH_TOKEN: "",
      GITHUB_REPOSITORY_OWNER: "o",
      GITHUB_SHA: "abc",
    };
    const { stdout, status } = spawnSync("bash", [join(root, "tooling/release/image.sh")], { env, encoding: "utf8" });
    expect([status, stdout.trim().split("\n").at(-1)]).toEqual([
      0,
      `buildx build --platform linux/amd64,linux/arm64 --build-arg VERSION=1.2.3 --build-arg REVISION=abc --sbom=true --provenance=mode=max --tag ghcr.io/o/${about.name}:1.2.3 --tag ghcr.io/o/${about.name}:latest --push servers/${about.name}`,
    ]);
    expect(workflow).toMatch(/setup-qemu-action@.*\n +with:\n +platforms: arm64\b[^]*image\.sh\n$/);
    const image = readFileSync(join(root, "servers", about.name, "Dockerfile"), "utf8");
    expect(image).toMatch(/\nUSER 1000:1000\n[^]*\nENTRYPOINT \["node",".*"\]\n$/);
  });
});

describe("publishing", () => {
  // A registry believes a provenance only of the repository that the package names.
  test("proves where each package was built, without a token", () => {
    const { jobs } = parse(workflow) as { jobs: { release: Job } }; // as GitHub has it
    const { permissions, steps } = jobs.release;
    const [publish, ...others] = steps.filter(({ with: inputs }) => inputs?.["publish-script"] !== undefined);
    expect(others).toEqual([]);
    expect(permissions["id-token"]).toBe("write");
    expect(publish?.env).toEqual({ NPM_CONFIG_PROVENANCE: "true" });
    expect(workflow).not.toMatch(/NPM_TOKEN|NODE_AUTH_TOKEN/);
    for (const folder of publishedFolders()) {
      const { repository, publishConfig, license } = manifestOf(join(root, folder));
      expect({ repository, publishConfig, license }).toEqual({
        repository: { type: "git", url: `git+${REPOSITORY}.git`, directory: folder },
        publishConfig: undefined,
        license: "MIT",
      });
    }
  });

  const checked = (folder: string) =>
    spawnSync(process.execPath, [join(root, "tooling/release/src/check-versions.ts"), folder], { encoding: "utf8" });
  const manifest = (name: string, version: string, more: object = {}): string => JSON.stringify({ name, version, ...more });

  test("begins with the check of versions", () => {
    expect(scripts["release:publish"]).toMatch(/^node tooling\/release\/src\/check-versions\.ts && /);
  });

  test.each(["0.0.0", "0.0.0-beta.1"])("refuses %s, naming the package", async (version) => {
    await using folder = tempFolder({
      packages: { a: { "package.json": manifest("@x/a", "0.1.0") }, b: { "package.json": manifest("@x/b", version) } },
    });
    const { status, stderr } = checked(folder.path);
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringMatching(/^Nothing is published: version 0\.0\.0 of @x\/b\. /) });
  });

  test("allows released versions and ignores private packages", async () => {
    await using folder = tempFolder({
      packages: { a: { "package.json": manifest("@x/a", "0.1.0") } },
      servers: { b: { "package.json": manifest("@x/b", "0.0.0", { private: true }) }, c: { "package.json": manifest("@x/c", "10.0.0") } },
    });
    const { status, stderr } = checked(folder.path);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  });
});

test.each(publishedFolders())("%s has a changelog that begins with its version", (folder) => {
  const { name, version } = manifestOf(join(root, folder));
  expect(
    readFileSync(join(root, folder, "CHANGELOG.md"), "utf8")
      .split("\n")
      .slice(0, 3),
  ).toEqual([`# ${name}`, "", `## ${version}`]);
});

test("all packages have one version", () => {
  const versions = [...new Set(publishedFolders().map((folder) => manifestOf(join(root, folder)).version))];
  expect(versions).toEqual([expect.stringMatching(/^\d+\.\d+\.\d+$/)]);
});

test("a changeset gives a version, a changelog and new descriptions", { timeout: 60_000 }, async () => {
  await using copy = tempFolder();
  const clone = copy.at("clone");
  const wanted = [
    "package.json",
    "**/package.json",
    "pnpm-workspace.yaml",
    "servers/*/README.md",
    "servers/*/src/server.ts",
    "packages/client/src/version.ts",
    "docs/badges/*",
    "{packages,servers}/*/CHANGELOG.md",
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
