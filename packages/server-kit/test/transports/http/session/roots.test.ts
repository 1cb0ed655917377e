// The roots of a client that reads no standing stream, or not any more: it is asked on the stream of the call that needs them.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serveHttp, type HttpServer } from "../../../../src/node.ts";
import type { Json } from "../../../../src/protocol.ts";
import { sampleServer } from "../../../fixtures/sample-server.ts";
import { HttpTalk, textOf } from "../../../support/http-talk.ts";
import { eventually, note, result, STATEFUL } from "../../../support/sample.ts";

let served: HttpServer;

beforeAll(async () => {
  served = await serveHttp(sampleServer({ followsRoots: true }), { port: 0 });
});

afterAll(() => served.stop());

const root = (name: string): Json => ({ uri: `file:///${name}` });

/** The roots that a call sees, and what was asked on its stream; `roots` is what the client answers. */
async function seen(talk: HttpTalk, roots: Json[]): Promise<{ asked: unknown[]; roots: unknown }> {
  const stream = await talk.call("roots");
  const asked: unknown[] = [];
  for (;;) {
    const message = await (stream.type === "application/json" ? stream.json() : stream.message());
    if (message.method === undefined) return { asked, roots: JSON.parse(textOf(message)) };
    asked.push(message.method);
    await talk.post(result(message.id, { roots }));
  }
}

describe.each(STATEFUL)("in %s", (revision) => {
  const open = () => HttpTalk.open(served.url, { revision, capabilities: { roots: { listChanged: true } } });

  test("ROOTS-10 ROOTS-14 HTTP-19 requests roots with the first call and after a change, without a standing stream", async () => {
    using talk = await open();
    expect(await seen(talk, [root("a")])).toEqual({ asked: ["roots/list"], roots: [root("a")] });
    expect(await seen(talk, [root("never asked")])).toEqual({ asked: [], roots: [root("a")] });
    expect((await talk.post(note("notifications/roots/list_changed"))).status).toBe(202);
    expect(await seen(talk, [root("b")])).toEqual({ asked: ["roots/list"], roots: [root("b")] });
  });

  test("ROOTS-10 applies a change after the standing stream has closed to the next call", async () => {
    using talk = await open();
    const standing = await talk.listen();
    const { id } = await standing.message();
    expect((await talk.post(result(id, { roots: [root("a")] }))).status).toBe(202);
    expect((await standing.message()).method).toBe("notifications/resources/list_changed");
    expect(await seen(talk, [])).toEqual({ asked: [], roots: [root("a")] });
    standing.drop();
    await eventually(() => served.counts().streams).toBe(0);
    expect((await talk.post(note("notifications/roots/list_changed"))).status).toBe(202);
    expect(await seen(talk, [root("b")])).toEqual({ asked: ["roots/list"], roots: [root("b")] });
  });
});

test("ROOTS-10 requests roots by a call itself while only another call has a stream", async () => {
  using talk = await HttpTalk.open(served.url, { capabilities: { roots: {} } });
  const other = await talk.call("hang", {}, { progressToken: 1 });
  expect(other.type).toBe("text/event-stream");
  expect(await seen(talk, [root("a")])).toEqual({ asked: ["roots/list"], roots: [root("a")] });
  expect((await talk.end()).status).toBe(204);
});

test("ROOTS-10 follows roots received by a call like those received by the standing stream", async () => {
  using talk = await HttpTalk.open(served.url, { capabilities: { roots: {} } });
  expect(await seen(talk, [root("a")])).toMatchObject({ asked: ["roots/list"] });
  const standing = await talk.listen();
  // The question that found no reader comes first; it is answered already.
  expect((await standing.message()).method).toBe("roots/list");
  expect((await standing.message()).method).toBe("notifications/resources/list_changed");
  standing.drop();
});
