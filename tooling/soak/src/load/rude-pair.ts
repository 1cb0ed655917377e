/** The old pair of endpoints: its stream is its session. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Works } from "../load-generator.ts";
import { must } from "./expect.ts";
import { begin, refused, until } from "./raw-http.ts";

const MESSAGE =
  '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2024-11-05","capabilities":{},"clientInfo":{"name":"raw","version":"0"}}}';

/** Opens the stream, and gives it with the address to post to. */
async function openPair(url: string): Promise<{ drop: () => void; at: string }> {
  const stream = begin(url, { method: "GET" });
  const event = await until(await stream.answer, (text) => text.includes("\n\n"));
  const path = /^data: (\S+)$/m.exec(event)?.[1];
  must(path !== undefined, `no address in ${event}`);
  return { drop: () => void stream.request.destroy(), at: new URL(path, url).href };
}

export const RUDE_PAIR: Works<string> = {
  "comes and goes": async (url) => (await openPair(url)).drop(),
  "drops before the answer": async (url) => {
    const { drop, at } = await openPair(url);
    await refused(at, { body: MESSAGE }, 202);
    drop();
  },
  "no such session": (url) => refused(new URL("/messages?sessionId=none", url).href, { body: MESSAGE }, 404),
  "broken JSON": async (url) => {
    const { drop, at } = await openPair(url);
    await refused(at, { body: "{" }, 400);
    drop();
  },
  "silent for a while": async (url) => {
    const { drop } = await openPair(url);
    await sleep(200);
    drop();
  },
};
