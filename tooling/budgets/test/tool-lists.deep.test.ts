/** Tests that the default list of tools of each server stays within the size that its contract promises. */
import { startRaw, tempFolder, type TempFolder } from "@oarlock/testing";
import { test } from "vitest";
import { expectWithinBudgets } from "./support/budget.ts";
import { builtFile } from "@oarlock-tooling/test-support/built-file";
import { STARTS } from "./support/starts.ts";

const SERVERS = ["filesystem", "git", "sqlite", "memory"];

function argsOf(name: string, folder: TempFolder): string[] {
  const start = STARTS.find((one) => one.name === name);
  if (start === undefined) throw new Error(`${name} is not among the starts`);
  return start.args(folder);
}

test.each(SERVERS)("keeps tools/list of the %s server within its budget", async (name) => {
  await using folder = tempFolder();
  await using server = startRaw({ command: process.execPath, args: [builtFile(`servers/${name}/dist/bin.js`), ...argsOf(name, folder)] });
  await server.handshake();
  const { result } = await server.request({ jsonrpc: "2.0", id: 1, method: "tools/list" });
  expectWithinBudgets([{ what: `tools/list of ${name}`, measured: Buffer.byteLength(JSON.stringify(result)), unit: "bytes" }]);
});
