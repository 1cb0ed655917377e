// Queries without end, and other requests meanwhile.
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { Step } from "../../show.ts";
import { until } from "../../wait-for.ts";
import { textOf } from "../filesystem/replies.ts";
import { otherProgram } from "./database.ts";
import { goodbyeStep } from "../../stage.ts";
import { rowsOf, type Scene } from "./scene.ts";

const BOMB = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const from = performance.now();
  await work();
  return Math.ceil(performance.now() - from);
};

export const bomb: Step<Scene> = {
  title: "bomb",
  async play({ client }, say) {
    const plain = async () =>
      assert.deepEqual(rowsOf(await client.call("read_query", { query: "SELECT count(*) AS n FROM goods" })), [{ n: 3 }]);
    const cancel = new AbortController();
    const endless = client.call("read_query", { query: BOMB }, { signal: cancel.signal });
    const ended = assert.rejects(endless, /^Error: enough$/);
    await sleep(200);
    const meanwhile = await timed(plain);
    const after = await timed(async () => {
      cancel.abort(new Error("enough"));
      await ended;
      await plain();
    });
    say(
      `A query that counts without end. Meanwhile another is answered in ${meanwhile} ms; the first is cancelled, and ${after} ms later the next answer is there.`,
    );
    let stopped = "";
    const took = await timed(async () => {
      const result = await client.call("read_query", { query: BOMB, timeout_ms: 300 });
      assert.equal(result.isError, true);
      stopped = textOf(result);
    });
    assert.match(stopped, /topped after 300 ms/);
    say(`With a deadline of 300 ms it is over after ${took} ms: “${stopped}”`);
  },
};

export const subscription: Step<Scene> = {
  title: "subscription",
  async play({ client, file }, say) {
    const uri = "sqlite://chandlery/table/orders/rows";
    assert.ok((await client.templates().all()).some(({ uriTemplate }) => uriTemplate === "sqlite://{database}/table/{table}/rows"));
    const heard: string[] = [];
    await client.subscribe(uri, (changed) => heard.push(changed));
    await sleep(300); // the first look is taken
    otherProgram(file, "INSERT INTO orders (customer_id, goods_id, pieces, placed) VALUES (2, 3, 77, '2026-11-21')");
    const after = await until("no notification of the other program's order arrived", () => heard.includes(uri));
    const { contents } = await client.read(uri);
    assert.match(JSON.stringify(contents), /2026-11-21|truncated|nextCursor|cut/);
    await client.unsubscribe(uri);
    say(
      `The client watches the orders. Another program, a process of its own, takes one; ${after} ms later the client is notified and reads it.`,
    );
  },
};

export const goodbye: Step<Scene> = goodbyeStep({
  stdio: "The client closes; the server and its database processes exit.",
  HTTP: "After SIGTERM the server exits, and its database processes with it.",
});
