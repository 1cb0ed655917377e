// A client that vanishes leaves nothing. growth.deep.test.ts has hundreds of them.
import { expect, test } from "vitest";
import { HttpTalk } from "../../../support/http-talk.ts";
import { MassSocket } from "../../../support/mass.ts";
import { eventually, request } from "../../../support/sample.ts";
import { principals, startWorkshop } from "../../../support/workshop.ts";

test("case HTTP-27 leaves no stream when a client vanishes during the check of its token", async () => {
  await using shop = await startWorkshop({ auth: principals({ t: "anna" }, 100), legacySse: true });
  using talk = await HttpTalk.open(shop.url, { token: "t" });
  for (const path of [undefined, "/sse"]) {
    const sent = talk.begin("GET", {}, undefined, path);
    await eventually(() => shop.http.counts().connections).toBeGreaterThan(0);
    sent.drop();
  }
  using socket = await MassSocket.open(shop.http.port);
  await socket.post(request(1, "ping"), "Authorization: Bearer t", `Mcp-Session-Id: ${talk.id}`);
  await eventually(() => shop.http.counts()).toMatchObject({ sessions: 1, streams: 0 });
  const stream = await talk.listen();
  expect(stream.status).toBe(200);
  stream.drop();
});
