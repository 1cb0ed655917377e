// The end of a process that serves over HTTP.
import { expect, test } from "vitest";
import { startHttpProcess } from "../../../support/http-process.ts";
import { HttpTalk, textOf } from "../../../support/http-talk.ts";
import { RawHttp } from "../../../support/raw-http.ts";

const EMPTY = { sessions: 0, streams: 0, running: 0, connections: 0 };

test("R6 K3 ends the process by itself, with clients still connected", async () => {
  await using server = await startHttpProcess({ graceMs: 60_000, legacySse: true });
  using talk = await HttpTalk.open(server.url);
  const standing = await talk.listen();
  using idle = await RawHttp.open(server.port);
  using half = await RawHttp.open(server.port);
  half.write("GET /mcp HTTP/1.1\r\nHost: loc");
  const slow = await talk.call("wait", { ms: 300 }, { progressToken: 1 });
  await server.raw.send("stop");
  expect((await slow.messages()).map(textOf)).toEqual(["waited"]);
  expect(await server.raw.message()).toEqual({ stopped: EMPTY });
  expect(await server.raw.exit()).toEqual({ code: 0, signal: null });
  expect(await standing.closed).toBe("ended");
  await Promise.all([idle.ends(), half.ends()]);
});
