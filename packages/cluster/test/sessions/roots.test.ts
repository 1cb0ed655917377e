// Roots of a client over several nodes, for a server whose resources depend on them.
import { expect, test } from "vitest";
import { defineServer, resource, ToolError } from "@oarlock/server-kit";
import { MemoryBackplane } from "../../src/backplane.ts";
import { cluster } from "../../src/index.ts";
import { serveHttp } from "@oarlock/server-kit/node";
import { HttpTalk } from "../../../server-kit/test/support/http-talk.ts";
import { eventually, note, request, result } from "../../../server-kit/test/support/sample.ts";
import { ABLE } from "../../../server-kit/test/support/talk.ts";

const URI = "file:///inside/a";

/** A node whose only resource can be watched while its folder is among the client's roots. */
async function startNode(world: MemoryBackplane) {
  let watchers = 0;
  const file = resource({
    uri: URI,
    name: "a",
    read: () => "",
    subscribe: ({ client }) => {
      if (client.roots?.some(({ uri }) => URI.startsWith(uri)) !== true) throw new ToolError("outside");
    },
    watch: () => {
      watchers++;
      return () => void watchers--;
    },
  });
  const server = defineServer({ name: "rooted", version: "1", resources: [file], followsRoots: true });
  const http = await serveHttp(server, { port: 0, graceMs: 0, cluster: cluster({ backplane: world }) });
  return { http, url: http.url, watchers: () => watchers };
}

test("a watch ends on the reader's node when another node learns that its resource is outside the roots", async () => {
  const world = new MemoryBackplane();
  const nodes = [await startNode(world), await startNode(world)] as const;
  using talk = await HttpTalk.open(nodes[0].url, { capabilities: ABLE });
  const stream = await talk.listen();
  const list = async (uri: string): Promise<void> => {
    for (;;) {
      const { id, method } = await stream.message();
      if (method !== "roots/list") continue;
      expect((await talk.send("POST", {}, result(id, { roots: [{ uri }] }), nodes[1].url)).status).toBe(202);
      return;
    }
  };
  await list("file:///inside");
  const subscribe = async (): Promise<unknown> =>
    (await (await talk.send("POST", {}, request("s", "resources/subscribe", { uri: URI }), nodes[0].url)).json()).result;
  await eventually(subscribe).toEqual({});
  expect(nodes[0].watchers()).toBe(1);
  await talk.send("POST", {}, note("notifications/roots/list_changed"), nodes[1].url);
  await list("file:///elsewhere");
  await eventually(() => nodes.map((node) => node.watchers())).toEqual([0, 0]);
  stream.drop();
  await Promise.all(nodes.map(({ http }) => http.stop()));
});
