// Releases of two small packages, from unknown names to an installation: bootstrap, stage, approve, and attacks. The long tier adds outages, after which
// all of it goes on, and the second release.
import { createHash } from "node:crypto";
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { IN_LONG_RUNS } from "@oarlock-tooling/test-support/long-tier";
import { outputOf } from "@oarlock-tooling/test-support/run-program";
import { tempFolder, type TempFolder } from "@oarlock/testing";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { approvable } from "../../release/src/publication/approve.ts";
import { plannedSteps, prepare } from "../../release/src/publication/bootstrap.ts";
import { releaseStates } from "../../release/src/publication/check-release.ts";
import { Npm } from "../../release/src/publication/npm-command.ts";
import { writePackageList } from "../../release/src/publication/package-list.ts";
import { stageAll } from "../../release/src/publication/stage.ts";
import { LoopbackRegistry } from "../src/loopback-registry.ts";
import { NewUser } from "../src/new-user.ts";
import { WORKFLOW_TOKEN } from "../src/staging-area.ts";

const SECOND_FACTOR = "123456";

let registry: LoopbackRegistry;
const users: NewUser[] = [];
let maintainer: Npm;
let workflow: Npm;

/** Each test has two packages of its own. */
let [first, second] = ["", ""];
let tests = 0;
let folder: TempFolder;

function npmOf(token: string, env: Record<string, string> = {}): Npm {
  const user = new NewUser(registry.url);
  users.push(user);
  appendFileSync(user.at("home/.npmrc"), `${registry.url.replace(/^http:/, "")}:_authToken=${token}\n`);
  return new Npm({ ...user.env, ...env });
}

beforeAll(async () => {
  registry = await LoopbackRegistry.start();
  registry.staging.secondFactor = SECOND_FACTOR;
  maintainer = npmOf("maintainer", { npm_config_otp: SECOND_FACTOR });
  workflow = npmOf(WORKFLOW_TOKEN);
});

afterAll(async () => {
  for (const user of users) await user[Symbol.asyncDispose]();
  await registry[Symbol.asyncDispose]();
});

beforeEach(() => {
  tests++;
  [first, second] = [`@oarlock/first-${tests}`, `@oarlock/second-${tests}`];
  folder = tempFolder();
});

afterEach(async () => {
  registry.outage = undefined;
  await folder[Symbol.asyncDispose]();
});

/** Packs both packages as the workflow does. */
async function pack(name: string, version: string, content = "tested"): Promise<{ at: string; digest: string }> {
  const at = folder.at(name);
  const packed = [
    { name: first, version, file: "first.tgz" },
    { name: second, version, file: "second.tgz" },
  ];
  for (const one of packed) {
    const manifest = JSON.stringify({ name: one.name, version, license: "MIT" });
    folder.write({ [name]: { package: { "package.json": manifest, "content.txt": content } } });
    await outputOf("tar", ["-czf", one.file, "package"], { cwd: at });
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
  const steps = await plannedSteps(first, npmOf("nobody"));
  expect(steps).toEqual([
    expect.stringMatching(`^${first}: npm publish `),
    expect.stringMatching(`^${first}: npm access set mfa=publish `),
    expect.stringMatching(`^${first}: npm trust github .* --file=release.yml .* --allow-stage-publish `),
  ]);
  expect(await plannedSteps(first, maintainer)).toEqual(steps);
  expect(registry.latest(first)).toBeUndefined();
});

test("asks for the second factor before anything is public", async () => {
  await expect(prepare(first, npmOf("maintainer"))).rejects.toThrow(/one-time/);
  expect(registry.latest(first)).toBeUndefined();
});

test("bootstraps a package once, until the workflow is trusted to stage and to do nothing else", async () => {
  expect(await prepare(first, maintainer)).toEqual(["placeholder published", "tokens forbidden", "workflow trusted"]);
  expect(await prepare(first, maintainer)).toEqual([]);
  expect((await plannedSteps(first, maintainer))[0]).toBe(`${first}: is on npm, so no npm publish`);
  const { at } = await pack("packed", "0.1.0");
  const published = await workflow.run(["publish", join(at, "first.tgz"), "--access=public"]);
  expect(published).toMatchObject({ code: 1, stderr: expect.stringContaining("OIDC permission denied") });
  expect(registry.latest(first)).toBe("0.0.0-placeholder");
});

test("goes on with the bootstrap where it ended", IN_LONG_RUNS, async () => {
  registry.outage = `-/package/${first}/trust`;
  await expect(prepare(first, maintainer)).rejects.toThrow(/npm trust github .* failed/);
  registry.outage = undefined;
  expect(await prepare(first, maintainer)).toEqual(["tokens forbidden", "workflow trusted"]);
});

test("refuses a package that trusts a workflow to publish without approval", async () => {
  registry.add([join((await pack("packed", "0.1.0")).at, "first.tgz")]);
  const trust = ["trust", "github", first, "--file=release.yml", "--repository=oarlock/oarlock", "--environment=npm", "--yes"];
  await maintainer.output([...trust, "--allow-publish", "--allow-stage-publish"]);
  await expect(prepare(first, maintainer)).rejects.toThrow(new RegExp(`without approval[^]*Revoke it: npm trust revoke ${first} --id `));
});

test("releases a version, which users install once it is approved", async () => {
  for (const name of [first, second]) registry.staging.trustToStage(name);
  const user = new NewUser(registry.url);
  users.push(user);
  const one = await pack("one", "0.1.0", "one");
  expect(valuesOf(await stageAll(one.at, one.digest, workflow))).toEqual(["staged", "staged"]);
  expect(valuesOf(await releaseStates(one.at, one.digest, workflow))).toEqual(["missing", "missing"]);
  await approve(one);
  expect(valuesOf(await releaseStates(one.at, one.digest, workflow))).toEqual(["published", "published"]);
  expect(await installed(user)).toBe("one");
});

test("goes on with a release after a failure halfway, in staging and in approval", IN_LONG_RUNS, async () => {
  for (const name of [first, second]) registry.staging.trustToStage(name);
  const { at, digest } = await pack("packed", "0.1.0");
  registry.outage = `-/stage/package/${second}`;
  expect(valuesOf(await stageAll(at, digest, workflow))).toEqual(["staged", expect.stringMatching(/^FAILED: [^]*Outage/)]);
  await expect(approvable(at, digest, maintainer)).rejects.toThrow(`Nothing is approved.\n${second}@0.1.0 is not staged`);
  registry.outage = undefined;
  expect(valuesOf(await stageAll(at, digest, workflow))).toEqual(["staged before", "staged"]);
  const [[, id = ""] = []] = await approvable(at, digest, maintainer);
  await maintainer.interact(["stage", "approve", id]);
  expect(valuesOf(await releaseStates(at, digest, workflow))).toEqual(["published", "missing"]);
  await approve({ at, digest });
  expect(valuesOf(await stageAll(at, digest, workflow))).toEqual(["published before", "published before"]);
});

test("gives users the next version once it is approved", IN_LONG_RUNS, async () => {
  for (const name of [first, second]) registry.staging.trustToStage(name);
  const user = new NewUser(registry.url);
  users.push(user);
  const one = await pack("one", "0.1.0", "one");
  registry.add([join(one.at, "first.tgz"), join(one.at, "second.tgz")]);
  const two = await pack("two", "0.1.1", "two");
  expect(valuesOf(await stageAll(two.at, two.digest, workflow))).toEqual(["staged", "staged"]);
  expect(await installed(user)).toBe("one");
  await approve(two);
  expect(valuesOf(await releaseStates(two.at, two.digest, workflow))).toEqual(["published", "published"]);
  expect(await installed(user)).toBe("two");
});

/** What a user gets. */
async function installed(user: NewUser): Promise<string> {
  await user.run("npm", ["install", `${first}@latest`, `${second}@latest`]);
  return readFileSync(user.at(`work/node_modules/${first}/content.txt`), "utf8");
}

test("approves nothing while one package is staged with another content", async () => {
  for (const name of [first, second]) registry.staging.trustToStage(name);
  const packages = await pack("packed", "0.1.0");
  const other = await pack("other", "0.1.0", "malicious");
  await npmOf("stolen").output(["stage", "publish", join(other.at, "second.tgz"), "--access=public"]);
  expect(valuesOf(await stageAll(packages.at, packages.digest, workflow))).toEqual(["staged", "staged before"]);
  await expect(approvable(packages.at, packages.digest, maintainer)).rejects.toThrow(
    `Nothing is approved.\n${second}@0.1.0 is staged with another content than the tested tarball.`,
  );
});

test("announces nothing that has another content or no provenance", async () => {
  const packages = await pack("packed", "0.1.0");
  const other = await pack("other", "0.1.0", "malicious");
  registry.add([join(packages.at, "first.tgz"), join(other.at, "second.tgz")]);
  expect(valuesOf(await releaseStates(packages.at, packages.digest, workflow))).toEqual(["without provenance", "different"]);
  expect(valuesOf(await stageAll(packages.at, packages.digest, workflow))).toEqual([
    "published before",
    expect.stringMatching(/^FAILED: .*another content/),
  ]);
});
