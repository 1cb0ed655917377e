// What connectTo shows of a handler that fails: the cause, which the client does not get.
import { connectTo, nodeCommand, type Target, type Transport } from "@oarlock/testing";
import { afterEach, describe, expect, test, vi } from "vitest";
import { StderrErrors } from "../../src/connection/server-errors.ts";
import { sample } from "../fixtures/sample.ts";

const target: Target = { server: sample, command: nodeCommand(new URL("../fixtures/sample-cli.ts", import.meta.url)) };
const SERVED: [how: string, to: Target | Target["command"], transport: Transport][] = [
  ["memory", target, "memory"],
  ["stdio", target, "stdio"],
  ["HTTP in this process", target, "http"],
  ["HTTP of a command", target.command, "http"],
];
const CAUSE = /^Error: ref [0-9a-f]{4}: TypeError: tool "wrong" returned a value that its output schema refuses: count: .*\n +at /;

afterEach(() => vi.restoreAllMocks());

describe.each(SERVED)("over %s", (_how, to, transport) => {
  test("prints the cause of an internal error", async () => {
    const printed = vi.spyOn(console, "error").mockImplementation(() => undefined);
    {
      await using connection = await connectTo(to, { transport });
      const { content } = await connection.client.call("wrong");
      expect(content).toEqual([{ type: "text", text: expect.stringMatching(/^Internal error \(ref [0-9a-f]{4}\)$/) }]);
    }
    expect(printed.mock.calls).toEqual([[expect.stringMatching(CAUSE)]]);
  });

  test("gives the cause to onServerError", async () => {
    const printed = vi.spyOn(console, "error");
    const errors: string[] = [];
    {
      await using connection = await connectTo(to, { transport, onServerError: (entry) => errors.push(entry) });
      await connection.client.call("wrong");
    }
    expect(errors).toEqual([expect.stringMatching(CAUSE)]);
    expect(printed).not.toHaveBeenCalled();
  });
});

test.each([
  ["onServerError is false", { onServerError: false as const }],
  ["the test reads the log", { endpoint: { log: () => undefined }, onStderr: () => undefined }],
])("prints nothing when %s", async (_when, options) => {
  const printed = vi.spyOn(console, "error");
  for (const transport of ["memory", "stdio"] as const) {
    await using connection = await connectTo(target, { ...options, transport });
    await connection.client.call("wrong");
  }
  expect(printed).not.toHaveBeenCalled();
});

test("finds errors among other lines of stderr, in any pieces", () => {
  const text =
    'sample serves on stdio\nWarning: slow\n  with a tail\nError: one\n  at a\nCritical: two\n{"level":"error","msg":"three"}\nprinted\n';
  for (const size of [1, 7, text.length]) {
    const entries: string[] = [];
    const errors = new StderrErrors((entry) => entries.push(entry));
    for (let at = 0; at < text.length; at += size) errors.push(text.slice(at, at + size));
    expect(entries.join("\n")).toBe('Error: one\n  at a\nCritical: two\n{"level":"error","msg":"three"}');
  }
});
