/** Tests that the default list of tools of each server stays within the size that its contract promises. */
import { startRaw, tempFolder, type TempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { builtFile } from "@oarlock-tooling/test-support/built-file";
import { STARTS } from "../src/starts.ts";

/** KiB of the result of tools/list, as promised to users: these numbers do not rise. */
const PROMISED: Readonly<Record<string, number>> = { filesystem: 16, git: 20, sqlite: 12, memory: 12 };

function argsOf(name: string, folder: TempFolder): string[] {
  const start = STARTS.find((one) => one.name === name);
  if (start === undefined) throw new Error(`${name} is not among the starts`);
  return start.args(folder);
}

test.each(Object.entries(PROMISED))("tools/list of the %s server stays within %i KiB", async (name, kib) => {
  await using folder = tempFolder();
  await using server = startRaw({ command: process.execPath, args: [builtFile(`servers/${name}/dist/bin.js`), ...argsOf(name, folder)] });
  await server.handshake();
  const { result } = await server.request({ jsonrpc: "2.0", id: 1, method: "tools/list" });
  const bytes = Buffer.byteLength(JSON.stringify(result));
  expect(
    bytes,
    `tools/list of the ${name} server: ${bytes} bytes are above the promised ${kib * 1024}. Shorten descriptions, or move the tool to an opt-in toolset.`,
  ).toBeLessThanOrEqual(kib * 1024);
});
