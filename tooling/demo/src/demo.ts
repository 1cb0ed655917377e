// `npm run demo`: a real client drives the built servers on real files and prints the results. Exit code 0 only if every step
// passed. It needs no keyboard input and leaves no files behind.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import { root } from "@oarlock-tooling/test-support/built-file";
import { connect, type Command } from "@oarlock/client";
import { Narrator } from "./narrator.ts";
import { perform, performStep } from "./show.ts";
import { commandOf } from "./stage.ts";
import { filesystem } from "./steps/filesystem.ts";
import { git } from "./steps/git.ts";
import { sqlite } from "./steps/sqlite.ts";
import { memory } from "./steps/memory.ts";

// A normal exit removes temporary folders; the servers end with their input.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

const narrator = new Narrator();
const from = performance.now();

narrator.line("Oarlock at work: built servers, a real client, and real files in a temporary folder.");
const known = new Set<string>();
for (const show of filesystem) await perform(show, narrator, known);
for (const show of git) await perform(show, narrator, known);
for (const show of sqlite) await perform(show, narrator, known);
for (const show of memory) await perform(show, narrator, known);

narrator.heading("use it yourself");
let entry = "";
async function tryEntry(_scene: undefined, say: (line: string) => void): Promise<void> {
  const { command, args = [] } = commandOf("filesystem", root);
  entry = execFileSync(command, [...args, "--print-config", "json"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  const { mcpServers } = JSON.parse(entry) as { mcpServers: Record<string, Required<Command>> }; // for hosts; tried out here
  for (const server of Object.values(mcpServers)) {
    for (const path of [server.command, ...server.args].filter(isAbsolute)) assert.ok(existsSync(path), `${path} is not there`);
    await using client = await connect(server);
    assert.ok((await client.tools().all()).length > 0);
  }
  say(
    "Paste the entry below into the settings of a host, and replace the last path with directories of your own. A client has just connected with it.",
  );
}
await performStep({ title: "host entry", play: tryEntry }, undefined, narrator);

const seconds = ((performance.now() - from) / 1000).toFixed(1);
const { passed, failed } = narrator;
narrator.line(`\n${passed} step${passed === 1 ? "" : "s"} passed, ${failed} failed, in ${seconds} seconds.`);
narrator.line(`\n${entry}`);
process.exitCode = failed === 0 ? 0 : 1;
