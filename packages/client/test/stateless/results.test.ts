// Kinds of results: complete, input required, or unknown.
import { describe, expect, test } from "vitest";
import type { Json } from "@oarlock/server-kit/protocol";
import { InvalidResponseError, type Client } from "@oarlock/client";
import { failure } from "../support/scripted-peer.ts";
import { connectStateless } from "../support/stateless-peers.ts";

describe("kinds of results", () => {
  test.each<[string, (client: Client) => Promise<unknown>, Json]>([
    ["tools/call", (client) => client.call("x"), { content: [] }],
    ["tools/list", (client) => client.tools().all(), { tools: [] }],
    [
      "completion/complete",
      (client) => client.complete({ type: "ref/prompt", name: "x" }, { name: "y", value: "" }),
      { completion: { values: [] } },
    ],
  ])("RT-02 RT-03 of %s: read a missing type as complete, and refuse an unknown one", async (method, act, result) => {
    const { peer, client } = await connectStateless();
    // Only three requests may be answered by questions.
    const kinds: [Json, boolean][] = [
      [{}, true],
      [{ resultType: "complete" }, true],
      [{ resultType: "weird" }, false],
      [{ resultType: "task" }, false],
      [{ resultType: 7 }, false],
    ];
    if (method !== "tools/call") kinds.push([{ resultType: "input_required", requestState: "s" }, false]);
    for (const [kind, good] of kinds) {
      const asked = act(client).then(
        () => true,
        (error: unknown) => !(error instanceof InvalidResponseError),
      );
      await peer.answer(method, { ...result, ...kind });
      expect(await asked, JSON.stringify(kind)).toBe(good);
    }
  });

  test("stay unchanged in raw requests", async () => {
    const { peer, client } = await connectStateless();
    const result = { resultType: "weird", _meta: { "io.modelcontextprotocol/serverInfo": 1 } };
    const asked = client.request("tools/call", { name: "x" });
    await peer.answer("tools/call", result);
    expect(await asked).toEqual(result);
  });

  test.each<Json>([{}, { inputRequests: 7 }, { inputRequests: { a: "?" } }])("refuses an invalid input request: %j", async (more) => {
    const { peer, client } = await connectStateless({ elicit: () => ({ action: "accept" }) });
    const failed = failure(client.call("t"));
    await peer.answer("tools/call", { resultType: "input_required", ...more });
    expect(await failed).toBeInstanceOf(InvalidResponseError);
  });
});
