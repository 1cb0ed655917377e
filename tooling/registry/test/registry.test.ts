// The short form of `pnpm registry:try`: each server starts by npx from a registry, in an empty home, and again without a network.
import { execFileSync } from "node:child_process";
import { connect } from "@oarlock/client";
import { tempFolder, type TempFolder } from "@oarlock/testing";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startRegistry, type LoopbackRegistry } from "../src/loopback-registry.ts";
import { NewUser } from "../src/new-user.ts";
import { packAll, SERVERS } from "../src/packed-packages.ts";

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

let packed: TempFolder;
let registry: LoopbackRegistry;
let user: NewUser;
beforeAll(async () => {
  packed = tempFolder();
  registry = await startRegistry(packAll(packed.path));
  user = new NewUser(registry.url);
  execFileSync("git", ["init", "--quiet", user.at("work")]);
});
afterAll(async () => {
  await user[Symbol.asyncDispose]();
  await registry[Symbol.asyncDispose]();
  await packed[Symbol.asyncDispose]();
});

test.each(Object.keys(SERVERS))("npx -y @oarlock/%s installs the published package and serves a call", async (name) => {
  const { args, call } = SERVERS[name]!(user.at("work"));
  const to = { command: "npx", args: ["-y", `@oarlock/${name}`, ...args], env: user.env };
  const client = await connect(to, { timeoutMs: 200_000 });
  expect((await client.call(...call)).isError).not.toBe(true);
  await client.close();
  expect(registry.downloads).toContain(`@oarlock/${name}`);
});

test("npx @oarlock/client lists what a server from the registry offers, also without a network once it is in the cache", async () => {
  const list = ["-y", "@oarlock/client", "list", "--json", "--", "npx", "-y", "@oarlock/memory", "--db", user.at("work/m.db")];
  const first = await user.run("npx", list);
  expect(first).toMatchObject({ code: 0 });
  registry.cutOff();
  const again = await user.run("npx", list);
  expect(again).toMatchObject({ code: 0, stdout: first.stdout });
});
