/** The same without sessions: closing the stream is what cancels a request. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Works } from "../load-generator.ts";
import { MODERN } from "./clients.ts";
import { must } from "./expect.ts";
import { begin, refused, until } from "./raw-http.ts";
import { calling } from "./rude-http.ts";

const KEY = "io.modelcontextprotocol/";
const ENVELOPE = { [`${KEY}protocolVersion`]: MODERN, [`${KEY}clientCapabilities`]: {} };

const headersOf = (method: string, name?: string): Record<string, string> => ({
  "mcp-protocol-version": MODERN,
  "mcp-method": method,
  ...(name !== undefined && { "mcp-name": name }),
});

const call = (name: string, args: object, meta: object = {}): { headers: Record<string, string>; body: string } => ({
  headers: headersOf("tools/call", name),
  body: calling(name, args, { ...ENVELOPE, ...meta }),
});

export const RUDE_ALONE: Works<string> = {
  "broken JSON": (url) => refused(url, { headers: headersOf("tools/list"), body: '{"jsonrpc":' }, 400),
  "headers that lie": (url) => refused(url, { ...call("echo", { text: "x" }), headers: headersOf("tools/list") }, 400),
  "no envelope": (url) => refused(url, { headers: headersOf("tools/list"), body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' }, 400),
  "breaks off while sending": async (url) => {
    const { request } = begin(url, { headers: { ...headersOf("tools/list"), "content-length": 1000 }, body: "{", open: true });
    await sleep(10);
    request.destroy();
  },
  "listens and drops": async (url) => {
    const params = { notifications: { toolsListChanged: true }, _meta: ENVELOPE };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "subscriptions/listen", params });
    const listen = begin(url, { headers: headersOf("subscriptions/listen"), body });
    await until(await listen.answer, (text) => text.includes("acknowledged"));
    listen.request.destroy();
  },
};

/** For the fixture server only. */
export const RUDE_KIT_ALONE: Works<string> = {
  ...RUDE_ALONE,
  "drops before the answer": async (url) => {
    const { request } = begin(url, call("wait", { ms: 60_000 }));
    await sleep(15);
    request.destroy();
  },
  "drops in the middle": async (url) => {
    const steps = begin(url, call("steps", { count: 100, ms: 5 }, { progressToken: 1 }));
    const answer = await steps.answer;
    must(answer.statusCode === 200, `refused with ${answer.statusCode}`);
    await until(answer, (text) => text.includes("progress"));
    steps.request.destroy();
  },
  "reader that stops": async (url) => {
    const steps = begin(url, call("steps", { count: 100, ms: 1, size: 30_000 }, { progressToken: 1, [`${KEY}logLevel`]: "info" }));
    (await steps.answer).pause();
    await sleep(100);
    steps.request.destroy();
  },
};
