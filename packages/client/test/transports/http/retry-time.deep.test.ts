// How long the client waits before it resumes a stream.
import { expect, test } from "vitest";
import type { Json } from "@oarlock/server-kit/protocol";
import { called, RESULT, scripted } from "../../support/resumed-calls.ts";
import { event, events } from "../../support/scripted-http-server.ts";

test.each([100, 1500])("HTTP-26: waits for the retry time — %i ms", async (retry) => {
  let ended = 0;
  await using server = await scripted(
    (response) => {
      events(response, `retry: ${retry}\nid: 1\ndata: \n\n`).end();
      ended = performance.now();
    },
    (response, id) => void events(response, event({ id: id as Json, result: RESULT })).end(),
  );
  const { gets } = await called(server);
  const waited = gets[0]!.at - ended;
  expect(waited).toBeGreaterThanOrEqual(retry - 1);
  expect(waited).toBeLessThan(retry + 30_000); // a busy machine; 1500 ms are more than the default
});

test("HTTP-26: waits for one second without a retry time", async () => {
  let ended = 0;
  await using server = await scripted(
    (response) => {
      events(response, "id: 1\ndata: \n\n").end();
      ended = performance.now();
    },
    (response, id) => void events(response, event({ id: id as Json, result: RESULT })).end(),
  );
  const { gets } = await called(server);
  expect(gets[0]!.at - ended).toBeGreaterThanOrEqual(999);
});
