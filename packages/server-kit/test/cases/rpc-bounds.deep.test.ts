// Values that are too deep, sent to a server in a process of its own (security case RPC-15).
import { expect, test } from "vitest";
import { answersTo, refusal, stillServes } from "../support/sample.ts";
import { readyProcess } from "../support/sample-process.ts";

const MiB = 1024 * 1024;

test("RPC-15 refuses a million levels, in params and as the whole message", async () => {
  await using server = await readyProcess({ limits: { messageBytes: 32 * MiB } });
  const arrays = "[".repeat(1_000_000) + "]".repeat(1_000_000);
  const objects = `${'{"a":'.repeat(1_000_000)}1${"}".repeat(1_000_000)}`;
  const inParams = (value: string): string =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"log","arguments":{"data":${value}}}}`;
  for (const [name, line] of Object.entries({
    arrays,
    objects,
    "arrays in params": inParams(arrays),
    "objects in params": inParams(objects),
  })) {
    expect.soft(await answersTo(server, [line]), name).toEqual([refusal(null, -32600)]);
  }
  // Unclosed, it is not JSON.
  expect(await answersTo(server, ["[".repeat(1_000_000), '{"a":'.repeat(1_000_000)])).toEqual([
    refusal(null, -32700),
    refusal(null, -32700),
  ]);
  await stillServes(server);
});
