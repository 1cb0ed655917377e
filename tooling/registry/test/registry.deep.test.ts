// The short form of `pnpm registry:try`: the client and a server start by npx from a registry, in an empty home, and again without a network. The long
// tier adds the other servers, another package manager, and a publication; release.deep.test.ts publishes in each run.
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { IN_LONG_RUNS } from "@oarlock-tooling/test-support/long-tier";
import { connect } from "@oarlock/client";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { packedOnce } from "../../release/src/packed-once.ts";
import { LoopbackRegistry } from "../src/loopback-registry.ts";
import { NewUser } from "../src/new-user.ts";
import { SERVERS } from "../src/server-commands.ts";

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const { packageManager } = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8")) as {
  packageManager: string;
}; // our own

let registry: LoopbackRegistry;
let user: NewUser;
beforeAll(async () => {
  registry = await LoopbackRegistry.start([...(await packedOnce()).values()]);
  user = new NewUser(registry.url);
  execFileSync("git", ["init", "--quiet", user.at("work")]);
});
afterAll(async () => {
  await user[Symbol.asyncDispose]();
  await registry[Symbol.asyncDispose]();
});

test.each(Object.keys(SERVERS))("npx -y @oarlock/%s installs the published package and serves a call", IN_LONG_RUNS, async (name) => {
  const { args, call } = SERVERS[name]!(user.at("work"));
  const to = { command: "npx", args: ["-y", `@oarlock/${name}`, ...args], env: user.env };
  const client = await connect(to, { timeoutMs: 200_000 });
  expect((await client.call(...call)).isError).not.toBe(true);
  await client.close();
  expect(registry.downloads).toContain(`@oarlock/${name}`);
});

test("npx @oarlock/memory prints the entry for a host that starts it by npx", async () => {
  const { stdout } = await user.run("npx", ["-y", "@oarlock/memory", "--db", "m.db", "--print-config", "json"]);
  expect(JSON.parse(stdout)).toEqual({
    mcpServers: { memory: { command: "npx", args: ["-y", "@oarlock/memory", "--db", user.at("work/m.db")] } },
  });
});

test("publishes a version once by npm", IN_LONG_RUNS, async () => {
  await using publisher = new NewUser(registry.url);
  const { host } = new URL(registry.url);
  appendFileSync(publisher.at("home/.npmrc"), `//${host}/:_authToken=loopback\n`);
  mkdirSync(publisher.at("work/own"));
  writeFileSync(publisher.at("work/own/package.json"), JSON.stringify({ name: "@oarlock/own", version: "1.0.0", license: "MIT" }));
  expect(await publisher.run("npm", ["publish"], "own")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("+ @oarlock/own@1.0.0"),
  });
  // Of another user: the publisher has it in the cache.
  expect(await user.run("npm", ["install", "@oarlock/own"])).toMatchObject({ code: 0 });
  expect(registry.downloads).toContain("@oarlock/own");
  expect(await publisher.run("npm", ["publish"], "own")).toMatchObject({ code: 1, stderr: expect.stringMatching(/cannot publish over/i) });
});

test("pnpm dlx @oarlock/memory serves a call, in a home of its own", IN_LONG_RUNS, async () => {
  await using other = new NewUser(registry.url);
  const { args, call } = SERVERS["memory"]!(other.at("work"));
  const to = { command: "npx", args: ["-y", packageManager, "dlx", "@oarlock/memory", ...args], env: other.env, cwd: other.at("work") };
  await using client = await connect(to, { timeoutMs: 200_000 });
  expect((await client.call(...call)).isError).not.toBe(true);
});

test("npx @oarlock/client lists what a server from the registry offers, also without a network once it is in the cache", async () => {
  const list = ["-y", "@oarlock/client", "list", "--json", "--", "npx", "-y", "@oarlock/memory", "--db", user.at("work/m.db")];
  const first = await user.run("npx", list);
  expect(first).toMatchObject({ code: 0 });
  registry.cutOff();
  const again = await user.run("npx", list);
  expect(again).toMatchObject({ code: 0, stdout: first.stdout });
});
