// doctor: what is wrong with git and the repositories, with the remedy.
import { execFileSync } from "node:child_process";
import { chownSync, writeFileSync } from "node:fs";
import { delimiter } from "node:path";
import { doctorFailures } from "@oarlock-tooling/test-support/doctor";
import { hashTree, needs, tempFolder, withMode } from "@oarlock/testing";
import { expect, test, vi } from "vitest";
import { makeRepository } from "./support/repository.ts";
import { bin } from "./support/target.ts";

vi.setConfig({ testTimeout: 60_000 });

const failures = async (...args: string[]) => doctorFailures(bin(["doctor", "--json", ...args]));

test("finds nothing wrong with a repository, and changes nothing in it", async () => {
  await using folder = tempFolder();
  makeRepository(folder.at("one"), { a: "a" });
  const before = hashTree(folder.at("one"));
  expect(await failures(folder.at("one"))).toEqual([]);
  expect(hashTree(folder.at("one"))).toBe(before);
});

test("names a git that is missing, does not run or is too old", needs("shell scripts"), async () => {
  await using folder = tempFolder({
    old: withMode(0o755, "#!/bin/sh\necho git version 2.20.1\n"),
    broken: withMode(0o755, "#!/bin/sh\nexit 3\n"),
  });
  const expected = { missing: "not found", ...(process.platform !== "win32" && { old: "2.20 is too old", broken: "ended with code 3" }) };
  for (const [name, message] of Object.entries(expected))
    expect(await failures("--git", folder.at(name), "--repositories-root", folder.path)).toMatchObject([
      { name: "git", message: expect.stringContaining(message), remedy: expect.stringContaining("git") },
    ]);
});

test("names folders that are not repositories or not the top of one", async () => {
  await using folder = tempFolder({ plain: {} });
  makeRepository(folder.at("one"), { "d/a": "a" });
  expect(await failures(folder.at("plain"), folder.at("one/d"), folder.at("missing"))).toMatchObject([
    { message: expect.stringContaining("it is not a git repository"), remedy: expect.stringContaining("git init") },
    { message: expect.stringContaining("it does not exist") },
    { message: expect.stringContaining("inside a repository"), remedy: expect.stringContaining(folder.at("one")) },
  ]);
});

test.runIf(process.getuid?.() === 0)("names a repository of another user and the switch that trusts it", async () => {
  await using folder = tempFolder();
  makeRepository(folder.at("one"), { a: "a" });
  chownSync(folder.at("one"), 65_534, 65_534);
  const [check] = await failures(folder.at("one"));
  expect(check).toMatchObject({ message: expect.stringContaining("another user"), remedy: expect.stringContaining("--trust") });
  expect(await failures("--trust", folder.at("one"), folder.at("one"))).toEqual([]);
});

test("quotes path, reason and remedy of a failed start, from a host's entry", async () => {
  await using folder = tempFolder({ ".cursor": {} });
  const entry = bin([folder.at("missing")]);
  writeFileSync(folder.at(".cursor/mcp.json"), JSON.stringify({ mcpServers: { "oarlock-git": entry } }));
  expect(await doctorFailures(bin(["doctor", "--json", "--repositories-root", folder.path], { HOME: folder.path }))).toMatchObject([
    {
      name: "host Cursor",
      message: expect.stringContaining(`Cannot serve repository "${folder.at("missing")}": it does not exist. Correct the path.`),
    },
  ]);
});

/** Stand in for npx. The real one takes seconds, and depends on the caches and settings of the machine. */
const NPX = [
  ["was never downloaded", "echo 'npm error code ENOTCACHED' >&2\nexit 1"],
  ["takes too long to start", "exec sleep 60"],
] as const;

test.each(NPX)("names a missing folder in an npx entry whose package %s", needs("shell scripts"), async (_, script) => {
  await using folder = tempFolder({ ".cursor": {}, bin: { npx: withMode(0o755, `#!/bin/sh\n${script}\n`) } });
  const entry = { command: "npx", args: ["-y", "oarlock-git", folder.at("missing")] };
  writeFileSync(folder.at(".cursor/mcp.json"), JSON.stringify({ mcpServers: { git: entry } }));
  const env = { HOME: folder.path, PATH: `${folder.at("bin")}${delimiter}${process.env["PATH"] ?? ""}` };
  expect(await doctorFailures(bin(["doctor", "--json", "--repositories-root", folder.path], env))).toMatchObject([
    { name: "host Cursor", message: expect.stringContaining(`${folder.at("missing")} cannot be served: it does not exist`) },
  ]);
});

test("names the entries of sibling servers that it skipped, and the command that checks them", needs("shell scripts"), async () => {
  await using folder = tempFolder({ ".cursor": {}, bin: { npx: withMode(0o755, "#!/bin/sh\n") } });
  makeRepository(folder.at("one"), { a: "a" });
  const file = folder.at(".cursor/mcp.json");
  const sibling = "memory"; // a copy of this server names no other package of the repository
  const mcpServers = {
    memory: { command: "npx", args: ["-y", `@oarlock/${sibling}`, "--db", "/nowhere/memory.db"] },
    "oarlock-sqlite": { command: "/nowhere/oarlock-sqlite" },
    other: { command: "/nowhere/other" },
  };
  writeFileSync(file, JSON.stringify({ mcpServers }));
  const run = (...more: string[]): string => {
    const { command, args = [], env } = bin(["doctor", folder.at("one"), ...more], { HOME: folder.path });
    const PATH = `${folder.at("bin")}${delimiter}${process.env["PATH"] ?? ""}`;
    return execFileSync(command, args, { env: { ...process.env, ...env, PATH }, encoding: "utf8" });
  };
  const summary = "Nothing is wrong with oarlock-git. No file of a host names it. 2 entries of other Oarlock servers were not checked.";
  expect(JSON.parse(run("--json"))).toMatchObject({
    ok: true,
    summary,
    notChecked: [
      { host: "Cursor", path: file, entry: "memory", server: "oarlock-memory", command: "npx -y @oarlock/memory doctor" },
      { entry: "oarlock-sqlite", command: "oarlock-sqlite doctor" },
    ],
  });
  const text = run();
  expect(text).toContain(
    `not checked host Cursor: Entry "memory" in ${file} is of oarlock-memory.\n       Check it with: npx -y @oarlock/memory doctor\n`,
  );
  expect(text.trimEnd().split("\n").at(-1)).toBe(summary);
});
