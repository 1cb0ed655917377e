/** Checks each start of a server on the pages: the built servers accept the switches. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { root } from "../src/examples.ts";
import { commands, splitCommand } from "./read-commands.ts";

/** The command of a server. */
const SERVER = /^(?:oarlock-|@oarlock\/|(?:.*\/)?servers\/)(filesystem|git|sqlite|memory)(?:\/dist\/bin\.js)?$/;
/** The first word of a command that does not serve. */
const COMMANDS = new Set([
  "doctor",
  "import",
  "export",
  "verify",
  "compact",
  "inspect",
  "digest",
  "inbox",
  "hooks",
  "users",
  "backup",
  "restore",
  "move",
]);

/** Servers with their words, wherever they stand in a line; each once, with the first block that has it. */
const starts = new Map<string, readonly [name: string, server: string, words: readonly string[]]>();
for (const [name, line] of commands) {
  const words = splitCommand(line);
  const at = words[0] === "npm" ? -1 : words.findIndex((word) => SERVER.test(word));
  const [, server] = SERVER.exec(words[at] ?? "") ?? [];
  if (server === undefined || COMMANDS.has(words[at + 1] ?? "")) continue;
  const key = [server, ...words.slice(at + 1)].join(" ");
  if (!starts.has(key)) starts.set(key, [name, server, words.slice(at + 1)]);
}

/** A server that prints the entry of a host has checked its switches, and opens nothing. */
async function outcomeOf(server: string, words: readonly string[]): Promise<{ status: number | null; stderr: string }> {
  await using folder = tempFolder();
  const args = [join(root, "servers", server, "dist/bin.js"), ...words, "--print-config", "json"];
  const env = { PATH: process.env["PATH"], HOME: folder.path, OARLOCK_STATE_KEY: "0".repeat(64) };
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder.path, env, encoding: "utf8" });
  return { status, stderr };
}

test.each([...starts.values()])("%s: %s accepts %j", async (_name, server, words) => {
  const { status, stderr } = await outcomeOf(server, words);
  expect(status, stderr).toBe(0);
});

test("refuses an unknown switch", async () => {
  expect(new Set([...starts.values()].map(([, server]) => server)).size).toBe(4);
  expect((await outcomeOf("git", [".", "--read-write"])).status).toBe(2);
});
