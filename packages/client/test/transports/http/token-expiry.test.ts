// Servers end streams with their token: a client that gets new ones reads on, in each revision that can.
import { connect, type Authorization, type Client } from "@oarlock/client";

import { defineServer, resource, tool } from "@oarlock/server-kit";
import { serveHttp, type HttpServer } from "@oarlock/server-kit/node";
import { afterEach, beforeEach, expect, test } from "vitest";

const URI = "note:///a";
const SHORT_MS = 600;

let http: HttpServer;
let touch: () => void;
let release: (text: string) => void;
const expiries = new Map<string, number>();

/** Each token that a server refuses is followed by one that lasts. */
class RenewedTokens implements Authorization {
  #token = issue(SHORT_MS);
  headers = async (): Promise<Record<string, string>> => ({ authorization: `Bearer ${this.#token}` });
  cacheIdentity = async (): Promise<string> => "anna";
  async answer(): Promise<boolean> {
    this.#token = issue(60_000);
    return true;
  }
}

function issue(ms: number): string {
  const token = `token-${expiries.size}`;
  expiries.set(token, Date.now() + ms);
  return token;
}

const firstExpired = async (): Promise<void> => {
  await expect.poll(() => [...expiries.keys()].length, { timeout: 10_000 }).toBeGreaterThan(1);
};

beforeEach(async () => {
  expiries.clear();
  const pending = Promise.withResolvers<string>();
  release = pending.resolve;
  const watchers = new Set<() => void>();
  touch = () => watchers.forEach((changed) => changed());
  const note = resource({
    uri: URI,
    name: "note",
    read: () => "a",
    watch: (changed) => {
      watchers.add(changed);
      return () => void watchers.delete(changed);
    },
  });
  const work = tool({ name: "work", run: (_input, ctx) => (ctx.progress(1), pending.promise) });
  const check = (token: string) => {
    const expiresAt = expiries.get(token) ?? 0;
    return expiresAt <= Date.now() ? { denied: "expired" } : { principal: "anna", scopes: ["*"], claims: {}, expiresAt };
  };
  const server = defineServer({ name: "notes", version: "1", tools: [work], resources: [note] });
  http = await serveHttp(server, { port: 0, graceMs: 0, auth: { check }, legacySse: true, http: { retryMs: 10 } });
});
afterEach(() => http.stop());

const open = (revision: string): Promise<Client> => connect({ url: http.url, authorize: new RenewedTokens() }, { revision });

test.each(["2026-07-28", "2025-11-25", "2025-03-26"])("continues a listener with a new token in %s", async (revision) => {
  await using client = await open(revision);
  const changes = client.listen({ uris: [URI] });
  await changes.ready;
  await firstExpired();
  const heard = changes[Symbol.asyncIterator]().next();
  const touching = setInterval(() => touch(), 50);
  try {
    expect(await heard).toMatchObject({ done: false, value: { kind: "updated", uri: URI } });
  } finally {
    clearInterval(touching);
  }
});

test.each(["2025-11-25", "2025-03-26"])("returns the result of a call in flight with a new token in %s", async (revision) => {
  await using client = await open(revision);
  const call = client.call("work", {}, { onProgress: () => undefined });
  await firstExpired();
  release("done");
  expect((await call).content).toEqual([{ type: "text", text: "done" }]);
});

test("ends the stream of the older transport, and reconnects with a new token", async () => {
  const authorize = new RenewedTokens();
  const legacy = (): Promise<Client> => connect({ url: new URL("/sse", http.url).href, authorize }, { revision: "2024-11-05" });
  await using client = await legacy();
  await expect(client.call("work")).rejects.toThrow(/stream ended|closed/);
  await using again = await legacy();
  expect(await again.read(URI)).toMatchObject({ contents: [{ text: "a" }] });
});
