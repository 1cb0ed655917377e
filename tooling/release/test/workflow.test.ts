/** The release, as far as it can be tested without releasing: scripts exist, actions are pinned, steps are complete. */
import { execFileSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { needs, tempFolder, withMode } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { packageOf, REPOSITORY, SERVERS } from "../src/about.ts";
import { manifestOf, publishedFolders, root } from "../src/repository.ts";
import { planOf } from "../src/plan.ts";
import { versionProblem } from "../src/check-versions.ts";

const workflow = readFileSync(join(root, ".github/workflows/release.yml"), "utf8");
const { scripts, packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  scripts: Record<string, string>;
  packageManager: string;
}; // our own

interface Job {
  readonly permissions: Readonly<Record<string, string>>;
  readonly steps: readonly {
    readonly run?: string;
    readonly uses?: string;
    readonly if?: string;
    readonly env?: object;
    readonly with?: Readonly<Record<string, unknown>>;
  }[];
}

test("runs existing scripts in the release, by the pnpm of this repository", () => {
  const runs = [...workflow.matchAll(/npx -y (\S+) run (\S+)/g)];
  expect(runs.map(([, , script]) => script)).toEqual(["release:version", "release:publish", "release:announce"]);
  for (const [, pnpm, script = ""] of runs) {
    expect(pnpm).toBe(packageManager);
    expect(Object.keys(scripts)).toContain(script);
  }
});

test("releases only after the tests of every push", () => {
  const { jobs } = parse(workflow) as { jobs: Record<string, { uses?: string; needs?: string }> }; // as GitHub has it
  expect(jobs["tests"]).toEqual({ uses: "./.github/workflows/ci.yml" });
  expect([jobs["release"]?.needs, jobs["images"]?.needs]).toEqual(["tests", "release"]);
});

test("runs existing scripts and files on every push, by the pnpm of this repository", () => {
  const ci = readFileSync(join(root, ".github/workflows/ci.yml"), "utf8");
  const commands = [...ci.matchAll(/run: npx -y (\S+) (\S+)/g)].map(([, pnpm = "", script = ""]) => ({ pnpm, script }));
  expect(commands.length).toBeGreaterThan(3);
  for (const { pnpm, script } of commands) {
    expect(pnpm).toBe(packageManager);
    expect(["install", ...Object.keys(scripts)]).toContain(script);
  }
  const files = [...ci.matchAll(/\bnode (\S+\.ts)/g)].map(([, file = ""]) => existsSync(join(root, file)));
  expect(files).toEqual([true, true]);
});

test("continues on Windows and macOS after a failed step, and uploads the report", () => {
  const { jobs } = parse(readFileSync(join(root, ".github/workflows/ci.yml"), "utf8")) as { jobs: { platforms: Job } }; // as GitHub has it
  const [facts, ...others] = jobs.platforms.steps.filter(({ uses }) => !/^actions\/(?:checkout|setup-node)@/.test(uses ?? ""));
  expect(facts?.run).toBe("node tooling/run/src/facts.ts");
  expect(others.filter(({ if: condition }) => condition !== "${{ !cancelled() }}")).toEqual([]);
  expect(others.at(-1)).toMatchObject({ uses: expect.stringContaining("upload-artifact"), with: { path: ".cache/report" } });
});

test("pins every action of every workflow by its hash", () => {
  const uses = globSync("*.yml", { cwd: join(root, ".github/workflows") }).flatMap((file) =>
    [...readFileSync(join(root, ".github/workflows", file), "utf8").matchAll(/uses: ([^\s.]\S+)(.*)/g)].map(([, name, rest]) => [
      name,
      rest,
    ]),
  );
  expect(uses.length).toBeGreaterThan(3);
  for (const [name, rest] of uses)
    expect([name, rest]).toEqual([expect.stringMatching(/^[\w.-]+\/[\w.-]+@[0-9a-f]{40}$/), expect.stringMatching(/^ # v\d/)]);
});

describe.each(SERVERS)("$name", (about) => {
  test("gets a bundle on its release and a registry entry after publication", () => {
    expect(planOf(about, "1.2.3", "WORK").map((command) => command.join(" "))).toEqual([
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

  test("builds its image for two processors from npm, with an unprivileged user", needs("shell scripts"), async () => {
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
    const output = execFileSync("bash", [join(root, "tooling/release/image.sh")], { env, encoding: "utf8" });
    expect(output.trim().split("\n").at(-1)).toBe(
      `buildx build --platform linux/amd64,linux/arm64 --build-arg VERSION=1.2.3 --build-arg REVISION=abc --sbom=true --provenance=mode=max --tag ghcr.io/o/${about.name}:1.2.3 --tag ghcr.io/o/${about.name}:latest --push servers/${about.name}`,
    );
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

  const manifest = (name: string, version: string, more: object = {}): string => JSON.stringify({ name, version, ...more });

  test("begins with the check of versions", () => {
    expect(scripts["release:publish"]).toMatch(/^node tooling\/release\/src\/check-versions\.ts && /);
  });

  test.each(["0.0.0", "0.0.0-beta.1"])("refuses %s, naming the package", async (version) => {
    await using folder = tempFolder({
      packages: { a: { "package.json": manifest("@x/a", "0.1.0") }, b: { "package.json": manifest("@x/b", version) } },
    });
    expect(versionProblem(folder.path)).toMatch(/^Nothing is published: version 0\.0\.0 of @x\/b\. /);
  });

  test("allows released versions and ignores private packages", async () => {
    await using folder = tempFolder({
      packages: { a: { "package.json": manifest("@x/a", "0.1.0") } },
      servers: { b: { "package.json": manifest("@x/b", "0.0.0", { private: true }) }, c: { "package.json": manifest("@x/c", "10.0.0") } },
    });
    expect(versionProblem(folder.path)).toBeUndefined();
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

test("gives all packages one version", () => {
  const versions = [...new Set(publishedFolders().map((folder) => manifestOf(join(root, folder)).version))];
  expect(versions).toEqual([expect.stringMatching(/^\d+\.\d+\.\d+$/)]);
});
