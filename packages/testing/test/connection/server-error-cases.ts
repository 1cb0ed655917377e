// What connectTo shows of a handler that fails: the cause, which the client does not get. Registers the tests of one way to serve.
import { connectTo, type Target, type Transport } from "@oarlock/testing";
import { afterEach, describe, expect, test, vi } from "vitest";

const CAUSE = /^Error: ref [0-9a-f]{4}: TypeError: tool "wrong" returned a value that its output schema refuses: count: .*\n +at /;

/** @param how Named in the title. */
export function describeServerErrors(how: string, to: Target | Target["command"], transport: Transport): void {
  describe(`over ${how}`, () => {
    afterEach(() => vi.restoreAllMocks());

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
}

/** @param transports Each of them prints nothing. */
export function testSilence(to: Target, transports: readonly Transport[]): void {
  test.each([
    ["onServerError is false", { onServerError: false as const }],
    ["the test reads the log", { endpoint: { log: () => undefined }, onStderr: () => undefined }],
  ])("prints nothing when %s", async (_when, options) => {
    using printed = vi.spyOn(console, "error");
    for (const transport of transports) {
      await using connection = await connectTo(to, { ...options, transport });
      await connection.client.call("wrong");
    }
    expect(printed).not.toHaveBeenCalled();
  });
}
