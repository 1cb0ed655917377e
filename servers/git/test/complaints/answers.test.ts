// Complaints about answers, each answered by a test. The manual lists them.
import type { Json } from "@oarlock/server-kit/protocol";
import { connectTo, tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { makeRepository } from "../support/repository.ts";
import { serverWithToolsets } from "../support/target.ts";
import { textOf, world, worldOf } from "../support/world.ts";

test("servers#4469 servers#4271 servers#4399 servers#4491 servers#4484 returns one shape of history with and without dates; refuses an unknown branch type", async () => {
  await using folder = tempFolder();
  await using at = await worldOf(folder, makeRepository(folder.at("project")).fill(30, 3));
  const all = await at.call("git_log", { max_count: 30 });
  const dated = await at.call("git_log", { max_count: 30, start_timestamp: "2000-01-01", end_timestamp: "2100-01-01" });
  expect(dated).toEqual(all);
  const blocks = all.text.replace(/^Commit history:\n/, "").split(/\n(?=Commit: )/);
  expect(blocks.length).toBe(30);
  for (const block of blocks) expect(block).toMatch(/^Commit: [0-9a-f]{40}\nAuthor: .+ <.+>\nDate: \S+\nMessage: commit \d+\n*$/);
  expect(await at.failure("git_branch", { branch_type: "unheard-of" })).toMatch(/branch_type/);
});

test("servers#2757 CVE-2026-27735 stages nothing outside and reads no value as an option", async () => {
  await using at = await world({ tree: { f: "one" } });
  at.folder.write({ "outside.txt": "secret" });
  for (const file of ["../outside.txt", at.folder.at("outside.txt"), "sub/../../outside.txt"])
    expect(await at.failure("git_add", { files: [file] })).toMatch(/^Access denied/);
  for (const target of ["--output=/tmp/x", "-p", "HEAD --output=x"]) await at.failure("git_diff", { target });
  expect(at.repository.git("cat-file", "--batch-all-objects", "--batch")).not.toContain("secret");
});

test("gitpython-developers/GitPython#1631 gitpython-developers/GitPython#483 accepts file names and messages that are not UTF-8 as it shows them", async () => {
  await using at = await world({ tree: { f: "one" } });
  const { repository } = at;
  const blob = repository.raw(["hash-object", "-w", "--stdin"], { input: "content\n" }).toString().trim();
  const entry = Buffer.concat([Buffer.from(`100644 ${blob}\t`), Buffer.from([0x63, 0x61, 0x66, 0xe9]), Buffer.from("\0")]);
  repository.raw(["update-index", "-z", "--index-info"], { input: entry });
  const raw = Buffer.concat([Buffer.from("caf"), Buffer.from([0xe9]), Buffer.from(" au lait\n")]);
  repository.raw(["commit", "-q", "-F", "-"], {
    input: raw,
    env: { GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "i18n.commitEncoding", GIT_CONFIG_VALUE_0: "ISO-8859-1" },
  });
  expect((await at.call("git_log", { max_count: 1 })).data["commits"]).toMatchObject([{ subject: "café au lait" }]);
  const files = (await at.call("git_show", { revision: "HEAD", format: "names" })).data["files"] as { path: string }[];
  expect(files).toMatchObject([{ path: "caf\\xE9", status: "added" }]);
  for (const [name, args] of [
    ["git_show", { revision: "HEAD", path: "caf\\xE9" }],
    ["git_blame", { path: "caf\\xE9", revision: "HEAD" }],
  ] as const)
    expect((await at.call(name, args)).text).toContain("content");
  expect((await at.call("git_log", { paths: ["caf\\xE9"] })).data["commits"]).toHaveLength(1);
});

test("HenriGrimm/Minnow#439 cuts a large diff at a budget, names every file, and continues with a cursor", async () => {
  await using at = await world({ tree: { f: "one" } });
  const lines = Array.from({ length: 400 }, (_, n) => `line ${n} of a rather long file that is too long to read\n`).join("");
  const names = Array.from({ length: 12 }, (_, n) => `big-${n}.txt`);
  at.repository.write(Object.fromEntries(names.map((name) => [name, lines])));
  await at.call("git_add", { files: ["."] });
  const first = await at.call("git_diff_staged");
  expect(Buffer.byteLength(first.text)).toBeLessThan(200_000);
  for (const name of names) expect(first.text).toContain(name);
  expect(first.data["nextCursor"]).toEqual(expect.any(String));
  const second = await at.call("git_diff_staged", { cursor: first.data["nextCursor"] as string });
  expect(second.text).not.toBe(first.text);
});

test("Dave-London/Pare#220 treats percent signs as text", async () => {
  await using at = await world({ tree: { "100%.txt": "50% off %h %PATH%\n" } });
  await at.call("git_commit", { message: "100%h %s %PATH% $HOME", allow_empty: true });
  expect((await at.call("git_log", { max_count: 1 })).data["commits"]).toMatchObject([{ subject: "100%h %s %PATH% $HOME" }]);
  expect((await at.call("git_show", { revision: "HEAD", path: "100%.txt" })).text).toBe("50% off %h %PATH%\n");
  expect((await at.call("git_grep", { pattern: "%PATH%", literal: true })).text).toContain("100%.txt");
});

test("github/github-mcp-server#181 github/github-mcp-server#425 github/github-mcp-server#430 github/github-mcp-server#1286 bounds replies, pages by cursor, and keeps the list of tools small", async () => {
  await using folder = tempFolder();
  const repository = makeRepository(folder.at("project")).fill(3000, 3);
  await using wired = await connectTo(await serverWithToolsets({ repositories: [repository.path] }));
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const result = await wired.client.call("git_log", { max_count: 700, ...(cursor !== undefined && { cursor }) });
    const data = (result.structuredContent ?? {}) as Json;
    expect(Buffer.byteLength(textOf(result)) + Buffer.byteLength(JSON.stringify(data))).toBeLessThan(2_500_000);
    seen.push(...(data["commits"] as { hash: string }[]).map(({ hash }) => hash));
    cursor = data["nextCursor"] as string | undefined;
  } while (cursor !== undefined);
  expect(seen).toEqual(repository.git("log", "--format=%H").split("\n"));
  const tools = await Array.fromAsync(wired.client.tools());
  expect(Buffer.byteLength(JSON.stringify(tools))).toBeLessThan(20_000);
});
