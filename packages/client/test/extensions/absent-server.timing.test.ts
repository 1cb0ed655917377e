// How long the client looks for a task at a server that stays away.
import { expect, test } from "vitest";
import { connect, HttpStatusError } from "@oarlock/client";
import { failure } from "../support/scripted-peer.ts";
import { give, serveStateless, refuse } from "../support/stateless-peers.ts";

test("gives up on a server that stays unreachable for longer than the timeout", async () => {
  const created = { resultType: "task", taskId: "t", status: "working", createdAt: "", lastUpdatedAt: "", ttlMs: null, pollIntervalMs: 1 };
  let polls = 0;
  await using played = await serveStateless((seen, response) => {
    const { method } = seen.message;
    if (method === "tools/call") return give(seen, response, created);
    if (method === "subscriptions/listen") return refuse(seen, response, -32601);
    if (method !== "tasks/get") return false;
    polls++;
    return void response.writeHead(503).end();
  });
  await using client = await connect({ url: played.url }, { revision: "2026-07-28" });
  expect(await failure(client.call("x", {}, { timeoutMs: 400 }))).toBeInstanceOf(HttpStatusError);
  expect([2, 3]).toContain(polls); // right away, after 250 ms, and when the 400 ms are over
});
