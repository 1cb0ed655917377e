/** Faults of clients and networks in sessions over HTTP. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Works } from "../load-generator.ts";
import { MESSAGE_BYTES } from "../server/fixture.ts";
import { STATEFUL } from "./clients.ts";
import { must } from "./expect.ts";
import { begin, exchange, refused, until } from "./raw-http.ts";

export interface RawSession {
  url: string;
  headers: Record<string, string>;
}

let ids = 0;
const message = (method: string, params: object): string => JSON.stringify({ jsonrpc: "2.0", id: ++ids, method, params });

export const calling = (name: string, args: object, meta?: object): string =>
  message("tools/call", { name, arguments: args, ...(meta !== undefined && { _meta: meta }) });

/** `ready` left out: a client that goes silent after its first request. */
export async function openRaw(url: string, ready = true): Promise<RawSession> {
  const params = { protocolVersion: STATEFUL, capabilities: {}, clientInfo: { name: "raw", version: "0" } };
  const opened = await exchange(url, { body: message("initialize", params) });
  const id = opened.headers["mcp-session-id"];
  must(typeof id === "string", `no session: ${opened.status} ${opened.text}`);
  const headers = { "mcp-session-id": id, "mcp-protocol-version": STATEFUL };
  if (ready) await refused(url, { headers, body: '{"jsonrpc":"2.0","method":"notifications/initialized"}' }, 202);
  return { url, headers };
}

export const endRaw = ({ url, headers }: RawSession): Promise<void> => refused(url, { method: "DELETE", headers }, 204);

const lastId = (text: string): string => [...text.matchAll(/^id: (\S+)$/gm)].at(-1)?.[1] ?? "none";

/** Any session server, whatever its tools. */
export const RUDE_SESSION: Works<RawSession> = {
  "broken JSON": ({ url, headers }) => refused(url, { headers, body: '{"jsonrpc":' }, 400),
  "no message": ({ url, headers }) => refused(url, { headers, body: "[1,null]" }, 400, 202, 200),
  "no session": ({ url }) => refused(url, { body: message("ping", {}) }, 400),
  "another's session": ({ url }) => refused(url, { headers: { "mcp-session-id": "x".repeat(32) }, body: message("ping", {}) }, 404),
  "wrong type": ({ url, headers }) =>
    refused(url, { headers: { ...headers, "content-type": "text/plain" }, body: message("ping", {}) }, 415),
  "wrong accept": ({ url, headers }) => refused(url, { method: "GET", headers: { ...headers, accept: "text/plain" } }, 406),
  "wrong verb": ({ url, headers }) => refused(url, { method: "PUT", headers, body: "{}" }, 405),
  "strange origin": ({ url, headers }) => refused(url, { headers: { ...headers, origin: "http://evil.example" }, body: "{}" }, 403),
  "breaks off while sending": async ({ url, headers }) => {
    const { request } = begin(url, { headers: { ...headers, "content-length": 1000 }, body: '{"jsonrpc"', open: true });
    await sleep(10);
    request.destroy();
  },
  "stream that breaks": async ({ url, headers }) => {
    const stream = begin(url, { method: "GET", headers });
    const { statusCode } = await stream.answer;
    must(statusCode === 200 || statusCode === 409, `the stream was refused with ${statusCode}`);
    await sleep(20);
    stream.request.destroy();
  },
};

/** For the fixture server only. */
export const RUDE_KIT_SESSION: Works<RawSession> = {
  ...RUDE_SESSION,
  "too large a body": ({ url, headers }) => refused(url, { headers, body: `"${"x".repeat(MESSAGE_BYTES)}"` }, 413),
  "call whose connection drops, taken up again": async ({ url, headers }) => {
    const call = begin(url, { headers, body: calling("steps", { count: 8, ms: 20 }, { progressToken: 1 }) });
    const seen = await until(await call.answer, (text) => /^id: \S+\nevent/m.test(text));
    call.request.destroy();
    if (seen.includes("8 steps")) return; // on a busy machine all of it comes at once
    const again = begin(url, { method: "GET", headers: { ...headers, "last-event-id": lastId(seen) } });
    const rest = await until(await again.answer, (text) => text.includes("8 steps"));
    must(rest.includes('"result"'), "no result after the connection was taken up again");
    again.request.destroy();
  },
  "call whose connection drops, left behind": async ({ url, headers }) => {
    const call = begin(url, { headers, body: calling("steps", { count: 20, ms: 10, size: 500 }, { progressToken: 1 }) });
    await call.answer;
    call.request.destroy();
  },
  "reader that stops": async ({ url, headers }) => {
    const call = begin(url, { headers, body: calling("steps", { count: 100, ms: 1, size: 30_000 }, { progressToken: 1 }) });
    (await call.answer).pause();
    await sleep(100);
    call.request.destroy();
  },
};
