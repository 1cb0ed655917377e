// The attacks on a server in a process of its own: the rules notice each breach, and a message that is too long does no harm.
import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { testRules } from "./rules.ts";
import { startStress } from "./stress.ts";

testRules(startStress);

test("PATH-21 refuses an oversized message at the protocol", async () => {
  await using stress = await startStress();
  const params = { name: "read_text_file", arguments: { path: "x".repeat(10_000_000) } };
  void stress.server.send({ jsonrpc: "2.0", id: "long", method: "tools/call", params });
  await stress.checkHealth();
  expect(readdirSync(stress.root)).toEqual(["plain.txt"]);
  await stress.checkRules({ tooLong: 1 });
});
