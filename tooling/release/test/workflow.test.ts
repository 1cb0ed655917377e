/** The workflows, as far as they can be tested without GitHub: rights, caches, pinned actions, existing scripts. */
import { execFileSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { needs, tempFolder, withMode } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { REPOSITORY, SERVERS } from "../src/about.ts";
import { manifestOf, publishedFolders, root } from "../src/repository.ts";

interface Job {
  readonly uses?: string;
  readonly needs?: string | readonly string[];
  readonly environment?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly unknown[]>> };
  readonly steps?: readonly {
    readonly run?: string;
    readonly uses?: string;
    readonly if?: string;
    readonly env?: Readonly<Record<string, string>>;
    readonly with?: Readonly<Record<string, unknown>>;
  }[];
}

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const FOLDER = join(root, ".github/workflows");
const WORKFLOWS = globSync("*.yml", { cwd: FOLDER });
const textOf = (file: string): string => readFileSync(join(FOLDER, file), "utf8");
const workflowOf = (file: string): Workflow => parse(textOf(file)) as Workflow; // as GitHub has it
const release = workflowOf("release.yml").jobs;
const { scripts, packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  scripts: Record<string, string>;
  packageManager: string;
}; // our own

describe.each(WORKFLOWS)("%s", (file) => {
  test("runs existing scripts and files, by the pnpm of this repository", () => {
    for (const [, pnpm, script = ""] of textOf(file).matchAll(/npx -y (\S+) (?:run )?(\S+)/g)) {
      expect(pnpm).toBe(packageManager);
      expect(["install", ...Object.keys(scripts)]).toContain(script);
    }
    const files = [...textOf(file).matchAll(/\b(?:node|bash) (\S+\.(?:ts|sh))/g)].map(([, path = ""]) => path);
    expect(files.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test("pins every action by its hash", () => {
    for (const [, name, rest] of textOf(file).matchAll(/uses: ([^\s.]\S+)(.*)/g))
      expect([name, rest]).toEqual([expect.stringMatching(/^[\w.-]+\/[\w./-]+@[0-9a-f]{40}$/), expect.stringMatching(/^ # v\d/)]);
  });

  test("gives its jobs no right to write but those with a reason, keeps no credentials and no cache", () => {
    const { permissions, jobs } = workflowOf(file);
    expect([{}, { contents: "read" }]).toContainEqual(permissions);
    expect(textOf(file).match(/: write\b(?! #).*/g)).toBeNull();
    const steps = Object.values(jobs).flatMap(({ steps: own = [] }) => own);
    for (const { uses = "", with: inputs } of steps) {
      if (uses.startsWith("actions/checkout@")) expect(inputs).toMatchObject({ "persist-credentials": false });
      if (uses.startsWith("actions/setup-node@")) expect(inputs).toMatchObject({ "package-manager-cache": false });
      expect(uses).not.toMatch(/^actions\/cache/);
    }
  });
});

describe("a release", () => {
  test("stages after the tests of the tagged commit, and announces what a maintainer has approved", () => {
    const order = Object.fromEntries(Object.entries(release).map(([name, job]) => [name, [job.needs ?? [], job.environment].flat()]));
    expect(order).toEqual({
      tag: [undefined],
      tests: ["tag", undefined],
      packages: ["tests", undefined],
      stage: ["tests", "packages", "npm"],
      files: ["tests", "stage", "published"],
      announce: ["files", undefined],
      registry: ["files", undefined],
      images: ["files", undefined],
    });
    expect(release["tests"]?.uses).toBe("./.github/workflows/ci.yml");
  });

  test("stages the tested tarballs in a job that builds nothing and has no token", () => {
    const { permissions, steps = [] } = release["stage"]!;
    expect(permissions).toEqual({ contents: "read", "id-token": "write" });
    expect(steps.map(({ uses, run }) => uses?.replace(/@.*/, "") ?? run?.replace(/ [^]*/, ""))).toEqual([
      "actions/checkout",
      "actions/setup-node",
      "actions/download-artifact",
      "node",
      "echo",
    ]);
    expect(steps[3]?.run).toBe('node tooling/release/src/publication/stage.ts tarballs "$DIGEST"');
    expect(steps[3]?.env).toEqual({ DIGEST: "${{ needs.tests.outputs.digest }}", NPM_CONFIG_PROVENANCE: "true" });
    expect(textOf("release.yml")).not.toMatch(/secrets\.|NPM_TOKEN|NODE_AUTH_TOKEN/);
  });

  test("stages by files that need no installation", () => {
    const files = globSync("tooling/release/src/{publication/*,repository,about}.ts", { cwd: root });
    const imports = files.flatMap((file) =>
      [...readFileSync(join(root, file), "utf8").matchAll(/ from "(.+)"/g)].map(([, from = ""]) => from),
    );
    expect(imports.filter((from) => !/^(?:node:|\.)/.test(from))).toEqual([]);
  });

  test("tests the tarballs that it stages", () => {
    const { packages, deep } = workflowOf("ci.yml").jobs;
    expect(packages?.steps?.at(-1)).toMatchObject({ with: { name: "packages", path: "tarballs" } });
    expect(deep?.needs).toBe("packages");
    const env = { OARLOCK_TARBALLS: "${{ github.workspace }}/tarballs" };
    expect(deep?.steps?.at(-1)?.env).toMatchObject(env);
    expect(release["packages"]?.steps?.at(-1)?.env).toMatchObject({ ...env, OARLOCK_LONG: "1" });
  });

  // A registry believes a provenance only of the repository that the package names.
  test.each(publishedFolders())("finds the repository in the manifest of %s", (folder) => {
    const { repository, publishConfig, license } = manifestOf(join(root, folder));
    expect({ repository, publishConfig, license }).toEqual({
      repository: { type: "git", url: `git+${REPOSITORY}.git`, directory: folder },
      publishConfig: undefined,
      license: "MIT",
    });
  });

  test("has an entry in the registry and an image for each server", () => {
    const names = SERVERS.map(({ name }) => name);
    expect([release["registry"], release["images"]].map((job) => job?.strategy?.matrix["server"])).toEqual([names, names]);
  });
});

test("runs the fast tests on every system and every Node that packages support", () => {
  const { matrix } = workflowOf("ci.yml").jobs["platforms"]?.strategy ?? { matrix: {} };
  const engines = manifestOf(join(root, "packages/server-kit")).engines.node;
  expect(matrix).toEqual({
    os: ["ubuntu-latest", "macos-latest", "windows-latest"],
    node: [...engines.matchAll(/(?:\^|>=)(\d+)/g)].map(([, major]) => Number(major)),
  });
});

test("updates packages no sooner than pnpm takes them", () => {
  const { updates } = parse(readFileSync(join(root, ".github/dependabot.yml"), "utf8")) as {
    updates: { cooldown: Record<string, number> }[];
  }; // as GitHub has it
  const { minimumReleaseAge } = parse(readFileSync(join(root, "pnpm-workspace.yaml"), "utf8")) as { minimumReleaseAge: number }; // in minutes
  for (const { cooldown } of updates) expect((cooldown["default-days"] ?? 0) * 24 * 60).toBeGreaterThanOrEqual(minimumReleaseAge);
});

test("continues on Windows and macOS after a failed step, and uploads the report", () => {
  const { steps = [] } = workflowOf("ci.yml").jobs["platforms"] ?? {};
  const [facts, ...others] = steps.filter(({ uses }) => !/^actions\/(?:checkout|setup-node)@/.test(uses ?? ""));
  expect(facts?.run).toBe("node tooling/run/src/facts.ts");
  expect(others.filter(({ if: condition }) => condition !== "${{ !cancelled() }}")).toEqual([]);
  expect(others.at(-1)).toMatchObject({ uses: expect.stringContaining("upload-artifact"), with: { path: ".cache/report" } });
});

test.each(SERVERS)(
  "builds the image of $name for two processors from npm, with an unprivileged user",
  needs("shell scripts"),
  async (about) => {
    const metadata = '{ "containerimage.digest": "sha256:abc" }';
    const script = `#!/bin/sh\necho "$@"\nwhile [ $# -gt 0 ]; do if [ "$1" = --metadata-file ]; then echo '${metadata}' > "$2"; fi; shift; done\n`;
    await using folder = tempFolder({ docker: withMode(0o755, script) });
    const { version } = manifestOf(join(root, "servers", about.name));
    const own = {
      DOCKER: folder.at("docker"),
      SERVER: about.name,
      GH_TOKEN: "",
      GITHUB_REPOSITORY_OWNER: "o",
      GITHUB_SHA: "abc",
      GITHUB_OUTPUT: folder.at("output"),
    };
    const output = execFileSync("bash", [join(root, "tooling/release/image.sh")], { env: { ...process.env, ...own }, encoding: "utf8" });
    expect(
      output
        .trim()
        .split("\n")
        .at(-1)
        ?.replace(/--metadata-file \S+ /, ""),
    ).toBe(
      `buildx build --platform linux/amd64,linux/arm64 --build-arg VERSION=${version} --build-arg REVISION=abc --sbom=true --provenance=mode=max --tag ghcr.io/o/${about.name}:${version} --tag ghcr.io/o/${about.name}:latest --push .`,
    );
    expect(readFileSync(folder.at("output"), "utf8")).toBe("digest=sha256:abc\n");
    const image = readFileSync(join(root, "servers", about.name, "Dockerfile"), "utf8");
    expect(image).toMatch(/\nUSER 1000:1000\n[^]*\nENTRYPOINT \["node",".*"\]\n$/);
  },
);

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
