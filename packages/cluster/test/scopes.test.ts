// What goes on after its request needs the scope of its tool on every node.
import { defineServer, tool, type InteractiveContext } from "@oarlock/server-kit";
import type { Authenticator } from "@oarlock/server-kit/node";
import { taskMode, tasks } from "@oarlock/extensions/tasks";
import { expect, test } from "vitest";
import { z } from "zod";
import { WITH_TASKS } from "../../extensions/test/tasks/support/task-talk.ts";
import { HttpTalk } from "../../server-kit/test/support/http-talk.ts";
import { eventually, result } from "../../server-kit/test/support/sample.ts";
import { NODE } from "../../server-kit/test/support/stateless-faces.ts";
import { ABLE } from "../../server-kit/test/support/talk.ts";
import { MemoryBackplane } from "../src/backplane.ts";
import { cluster } from "../src/index.ts";
import { BackplaneLink } from "./support/backplane-link.ts";
import { Nodes } from "./support/nodes.ts";

/** Two tokens of one principal. */
const auth: Authenticator = {
  check: (token) => ({ principal: "ada", scopes: [token === "reads" ? "workshop:read" : "workshop:write"], claims: {} }),
};

const confirm = async ({ elicit }: InteractiveContext): Promise<string> =>
  (await elicit({ message: "Sure?", schema: z.object({ sure: z.boolean() }) })).action;

test("refuses an answer to a tool of another node from a token that only reads", async () => {
  await using nodes = await Nodes.start(2, { auth });
  using talk = await HttpTalk.open(nodes.at(0).url, { capabilities: ABLE, token: "writes" });
  const call = talk.call("work");
  const { ctx } = await nodes.at(0).work("it");
  const answer = confirm(ctx);
  const { id } = await (await call).message();
  const there = nodes.at(1).url;
  const accepted = result(id, { action: "accept", content: { sure: true } });
  expect((await talk.send("POST", { authorization: "Bearer reads" }, accepted, there)).status).toBe(403);
  expect((await talk.send("POST", {}, result(id, { action: "decline" }), there)).status).toBe(202);
  expect(await answer).toBe("decline");
});

test("refuses with 503 while the backplane that keeps the tasks does not answer", async () => {
  const link = new BackplaneLink(new MemoryBackplane());
  const change = tool({ name: "change", extensions: [taskMode("always")], run: (_input, ctx) => confirm(ctx) });
  const shop = defineServer({ name: "workshop", version: "1.0.0", tools: [change], extensions: [tasks()] });
  const place = await NODE.open(shop, { auth, cluster: cluster({ backplane: link }), stateKeys: ["a key of many characters"] });
  const [writes, reads] = ["writes", "reads"].map((token) => ({ token, capabilities: WITH_TASKS }));
  const { taskId } = await place.result("tools/call", { name: "change", arguments: {} }, writes);
  await eventually(async () => (await place.result("tasks/get", { taskId }, reads)).status).toBe("input_required");
  link.cut();
  const refused = await place.request("tasks/update", { taskId, inputResponses: {} }, reads);
  expect([refused.status, refused.headers["retry-after"]]).toEqual([503, "1"]);
  link.heal();
  expect((await place.request("tasks/update", { taskId, inputResponses: {} }, reads)).status).toBe(403);
  await place.stop();
});
