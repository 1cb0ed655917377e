// Releases of two small packages, from unknown names to an installation: bootstrap, stage, approve, outages and attacks.
import { createHash } from "node:crypto";
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { outputOf } from "@oarlock-tooling/test-support/run-program";
import { tempFolder, type TempFolder } from "@oarlock/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { approvable } from "../../release/src/publication/approve.ts";
import { plannedSteps, prepare } from "../../release/src/publication/bootstrap.ts";
import { releaseStates } from "../../release/src/publication/check-release.ts";
import { Npm } from "../../release/src/publication/npm-command.ts";
import { writePackageList } from "../../release/src/publication/package-list.ts";
import { stageAll } from "../../release/src/publication/stage.ts";
import { startRegistry, type LoopbackRegistry } from "../src/loopback-registry.ts";
import { NewUser } from "../src/new-user.ts";
import { WORKFLOW_TOKEN } from "../src/staging-area.ts";

const NAMES = ["@oarlock/first", "@oarlock/second"];
const SECOND_FACTOR = "123456";

let registry: LoopbackRegistry;
let folder: TempFolder;
let users: NewUser[];
let maintainer: Npm;
let workflow: Npm;

function npmOf(token: string, env: Record<string, string> = {}): Npm {
  const user = new NewUser(registry.url);
  users.push(user);
  appendFileSync(user.at("home/.npmrc"), `${registry.url.replace(/^http:/, "")}:_authToken=${token}\n`);
  return new Npm({ ...user.env, ...env });
}

beforeEach(async () => {
  registry = await startRegistry();
  registry.staging.secondFactor = SECOND_FACTOR;
  folder = tempFolder();
  users = [];
  maintainer = npmOf("maintainer", { npm_config_otp: SECOND_FACTOR });
  workflow = npmOf(WORKFLOW_TOKEN);
});

afterEach(async () => {
  for (const user of users) await user[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
  await registry[Symbol.asyncDispose]();
});

/** Packs both packages as the workflow does. */
async function pack(name: string, version: string, content = "tested"): Promise<{ at: string; digest: string }> {
  const at = folder.at(name);
  const packed = [];
  for (const one of NAMES) {
    const file = `${one.slice("@oarlock/".length)}.tgz`;
    const manifest = JSON.stringify({ name: one, version, license: "MIT" });
    folder.write({ [name]: { package: { "package.json": manifest, "content.txt": content } } });
    await outputOf("tar", ["-czf", file, "package"], { cwd: at });
    packed.push({ name: one, version, file });
  }
  writePackageList(at, packed);
  return {
    at,
    digest: createHash("sha256")
      .update(readFileSync(join(at, "packages.json")))
      .digest("hex"),
  };
}

async function approve({ at, digest }: { at: string; digest: string }): Promise<void> {
  for (const id of (await approvable(at, digest, maintainer)).values()) await maintainer.interact(["stage", "approve", id]);
}

const valuesOf = (outcomes: ReadonlyMap<string, string>): string[] => [...outcomes.values()];

test("prints the same steps twice in a dry run, and changes nothing", async () => {
  const [name = ""] = NAMES;
  const steps = await plannedSteps(name, npmOf("nobody"));
  expect(steps).toEqual([
    expect.stringMatching(`^${name}: npm publish `),
    expect.stringMatching(`^${name}: npm access set mfa=publish `),
    expect.stringMatching(`^${name}: npm trust github .* --file=release.yml .* --allow-stage-publish `),
  ]);
  expect(await plannedSteps(name, maintainer)).toEqual(steps);
  expect(registry.latest(name)).toBeUndefined();
});

test("asks for the second factor before anything is public", async () => {
  const [name = ""] = NAMES;
  await expect(prepare(name, npmOf("maintainer"))).rejects.toThrow(/one-time/);
  expect(registry.latest(name)).toBeUndefined();
});

test("goes on with the bootstrap where it ended, until the workflow is trusted to stage and to do nothing else", async () => {
  const [name = ""] = NAMES;
  registry.outage = `-/package/${name}/trust`;
  await expect(prepare(name, maintainer)).rejects.toThrow(/npm trust github .* failed/);
  registry.outage = undefined;
  expect(await prepare(name, maintainer)).toEqual(["tokens forbidden", "workflow trusted"]);
  expect(await prepare(name, maintainer)).toEqual([]);
  expect((await plannedSteps(name, maintainer))[0]).toBe(`${name}: is on npm, so no npm publish`);
  const { at } = await pack("packed", "0.1.0");
  const published = await workflow.run(["publish", join(at, "first.tgz"), "--access=public"]);
  expect(published).toMatchObject({ code: 1, stderr: expect.stringContaining("OIDC permission denied") });
  expect(registry.latest(name)).toBe("0.0.0-placeholder");
});

test("refuses a package that trusts a workflow to publish without approval", async () => {
  const [name = ""] = NAMES;
  await maintainer.output(["publish", join((await pack("packed", "0.1.0")).at, "first.tgz"), "--access=public"]);
  const trust = ["trust", "github", name, "--file=release.yml", "--repository=oarlock/oarlock", "--environment=npm", "--yes"];
  await maintainer.output([...trust, "--allow-publish", "--allow-stage-publish"]);
  await expect(prepare(name, maintainer)).rejects.toThrow(/without approval[^]*Revoke it: npm trust revoke @oarlock\/first --id /);
});

test("releases twice, the first time after a failure halfway, and users install each version once it is approved", async () => {
  for (const name of NAMES) registry.staging.trustToStage(name);
  const user = new NewUser(registry.url);
  users.push(user);
  const first = await pack("first", "0.1.0", "one");
  registry.outage = "-/stage/package/@oarlock/second";
  expect(valuesOf(await stageAll(first.at, first.digest, workflow))).toEqual(["staged", expect.stringMatching(/^FAILED: [^]*Outage/)]);
  await expect(approvable(first.at, first.digest, maintainer)).rejects.toThrow(
    /^Nothing is approved\.\n@oarlock\/second@0\.1\.0 is not staged/,
  );
  registry.outage = undefined;
  expect(valuesOf(await stageAll(first.at, first.digest, workflow))).toEqual(["staged before", "staged"]);
  const [[, id = ""] = []] = await approvable(first.at, first.digest, maintainer);
  await maintainer.interact(["stage", "approve", id]);
  expect(valuesOf(await releaseStates(first.at, first.digest, workflow))).toEqual(["published", "missing"]);
  await approve(first);
  expect(valuesOf(await stageAll(first.at, first.digest, workflow))).toEqual(["published before", "published before"]);
  expect(await installed(user)).toBe("one");

  const second = await pack("second", "0.1.1", "two");
  expect(valuesOf(await stageAll(second.at, second.digest, workflow))).toEqual(["staged", "staged"]);
  expect(await installed(user)).toBe("one");
  await approve(second);
  expect(valuesOf(await releaseStates(second.at, second.digest, workflow))).toEqual(["published", "published"]);
  expect(await installed(user)).toBe("two");
});

/** What a user gets. */
async function installed(user: NewUser): Promise<string> {
  await user.run("npm", ["install", ...NAMES.map((name) => `${name}@latest`)]);
  return readFileSync(user.at("work/node_modules/@oarlock/first/content.txt"), "utf8");
}

test("approves nothing while one package is staged with another content", async () => {
  for (const name of NAMES) registry.staging.trustToStage(name);
  const packages = await pack("packed", "0.1.0");
  const other = await pack("other", "0.1.0", "malicious");
  await npmOf("stolen").output(["stage", "publish", join(other.at, "second.tgz"), "--access=public"]);
  expect(valuesOf(await stageAll(packages.at, packages.digest, workflow))).toEqual(["staged", "staged before"]);
  await expect(approvable(packages.at, packages.digest, maintainer)).rejects.toThrow(
    /^Nothing is approved\.\n@oarlock\/second@0\.1\.0 is staged with another content than the tested tarball\./,
  );
});

test("announces nothing that has another content or no provenance", async () => {
  const packages = await pack("packed", "0.1.0");
  const other = await pack("other", "0.1.0", "malicious");
  await maintainer.output(["publish", join(packages.at, "first.tgz"), "--access=public"]);
  await maintainer.output(["publish", join(other.at, "second.tgz"), "--access=public"]);
  expect(valuesOf(await releaseStates(packages.at, packages.digest, workflow))).toEqual(["without provenance", "different"]);
  expect(valuesOf(await stageAll(packages.at, packages.digest, workflow))).toEqual([
    "published before",
    expect.stringMatching(/^FAILED: .*another content/),
  ]);
});
