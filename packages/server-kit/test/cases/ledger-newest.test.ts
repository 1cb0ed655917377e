// Rows of the newest revision that no other file is about: extensions that we do not offer, and what is left of tasks.
import { describe, expect, test } from "vitest";
import { linkMemory } from "../../src/index.ts";
import type { Json } from "../../src/protocol.ts";
import { sampleServer } from "../fixtures/sample-server.ts";
import { asks, CAPABILITIES } from "../support/stateless-message.ts";

/** The answer to one stateless request. */
async function answerTo(message: Json): Promise<Json> {
  const wire = linkMemory(sampleServer());
  const answer = new Promise<Json>((resolve) => (wire.onText = (text) => resolve(JSON.parse(text) as Json)));
  wire.send(JSON.stringify(message));
  try {
    return await answer;
  } finally {
    await wire.close();
  }
}

const withExtensions = (message: Json, extensions: Json): Json => {
  const params = message.params as Json;
  return { ...message, params: { ...params, _meta: { ...(params._meta as Json), [CAPABILITIES]: { extensions } } } };
};

describe("extensions", () => {
  test("EXT-03 are not declared by default", async () => {
    const { result } = await answerTo(asks("server/discover"));
    expect(Object.keys((result as Json).capabilities as Json)).not.toContain("extensions");
  });

  test.each([{}, { deep: { setting: 1 } }])("EXT-02 EXT-04 change nothing when only the client has them: %j", async (settings) => {
    const call = asks("tools/call", { name: "echo", arguments: { message: "x" } });
    expect(await answerTo(withExtensions(call, { "com.example/odd": settings }))).toEqual(await answerTo(call));
  });
});

describe("tasks", () => {
  test.each(["tasks/get", "tasks/result", "tasks/list", "tasks/cancel", "tasks/update"])(
    "TASK-55 do not have the method %s",
    async (method) => {
      expect(await answerTo(asks(method, { taskId: "1" }))).toMatchObject({ error: { code: -32601 } });
    },
  );

  test("TASK-56 do not change a call that asks for one", async () => {
    const args = { name: "echo", arguments: { message: "x" } };
    expect(await answerTo(asks("tools/call", { ...args, task: { ttl: 1000 } }))).toEqual(await answerTo(asks("tools/call", args)));
  });
});

test("PAGE-10 refuses an empty cursor, which it never issues", async () => {
  expect(await answerTo(asks("tools/list", { cursor: "" }))).toMatchObject({ error: { code: -32602 } });
});
