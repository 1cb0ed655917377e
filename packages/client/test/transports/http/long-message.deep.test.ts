// A message that is too long to be kept in memory.
import { expect, test } from "vitest";
import { InvalidResponseError } from "@oarlock/client";
import { connect } from "../../support/connect-session.ts";
import { failure } from "../../support/scripted-peer.ts";
import { ScriptedHttpServer } from "../../support/scripted-http-server.ts";

test.each(["application/json", "text/event-stream"])("HTTP-16: refuses a message of more than 64 MiB: %s", async (type) => {
  const part = Buffer.alloc(1024 * 1024, "x");
  await using server = await ScriptedHttpServer.start(({ message: { id, method } }, response) => {
    if (method !== "tools/call") return false;
    response
      .writeHead(200, { "content-type": type })
      .write(`${type === "text/event-stream" ? "id: 1\ndata: " : ""}{"id":${String(id)},"x":"`);
    void (async () => {
      for (let sent = 0; sent <= 64 && !response.destroyed; sent++) await new Promise<unknown>((resolve) => response.write(part, resolve));
      response.end();
    })();
    return true;
  });
  await using client = await connect(server);
  const error = await failure(client.request("tools/call", { name: "x" }));
  expect(error).toBeInstanceOf(InvalidResponseError);
  expect(error.message).toMatch(/expected at most 67108864 /);
  await client.ping();
});
