// Nothing stays behind of sessions and clients that have gone: counts, timers, sockets and memory return to where they were.
import { describe, expect, test } from "vitest";
import { startHttpProcess, type Held, type HttpProcess } from "../../../support/http-process.ts";
import { HttpTalk, initialize, READY } from "../../../support/http-talk.ts";
import { onSockets, sessionLine } from "../../../support/mass.ts";
import { call, STATEFUL } from "../../../support/sample.ts";

const isLong = process.env["OARLOCK_LONG"] === "1";
/** So many that each character of an id is seen at each place. */
const SESSIONS = isLong ? 2000 : 1500;
const REFUSED = isLong ? 4000 : 2000;
const VANISHING = isLong ? 80 : 40;
/** What may stay of the heap, in bytes: less than what a session or a refused request holds, times their number. */
const GROWTH = 1_000_000;

const MiB = 1024 * 1024;
const EMPTY = { sessions: 0, streams: 0, running: 0, connections: 0 };

/** Opens sessions, which are used and ended, or abandoned. */
async function visit({ port }: HttpProcess, count: number, leaves: (at: number) => boolean): Promise<string[]> {
  const ids: string[] = [];
  await onSockets(port, 32, count, async (socket, at) => {
    const opened = await socket.post(initialize(STATEFUL[at % STATEFUL.length]));
    const session = sessionLine(opened);
    ids.push(session.slice("Mcp-Session-Id: ".length));
    await socket.post(READY, session);
    if (leaves(at)) return;
    await socket.post(call(1, "echo", { message: "x" }, { progressToken: 1 }), session);
    await socket.send("DELETE", [session]);
  });
  return ids;
}

describe("a server in a process of its own", () => {
  test("case HTTP-16 case HTTP-19 case HTTP-21 SESS-02 SESS-03 SESS-06 K3 does not grow over many sessions, and gives them random ids", async () => {
    await using server = await startHttpProcess({ http: { idleMs: 300, unreadyMs: 300, sessions: 2 * SESSIONS } });
    await visit(server, SESSIONS / 4, () => false);
    await becomes(server, EMPTY);
    const before = await server.measure();
    const ids = await visit(server, SESSIONS, (at) => at % 2 === 0);
    await becomes(server, EMPTY);
    const after = await server.measure();
    expect(after.counts).toEqual(EMPTY);
    expect(after.resources).toEqual(before.resources);
    expect(after.heap - before.heap).toBeLessThan(GROWTH);
    judgeIds(ids);
    expect(ids.filter((id) => server.raw.stderr.includes(id))).toEqual([]);
  });

  test("case HTTP-27 case HTTP-28 K3 keeps nothing of clients that vanish at any moment", async () => {
    await using server = await startHttpProcess({ legacySse: true });
    await vanish(server, VANISHING / 4);
    await becomes(server, EMPTY);
    const before = await server.measure();
    await vanish(server, VANISHING);
    await becomes(server, EMPTY);
    // A busy machine reports the end of a connection late.
    const added = (resources: Held["resources"]) =>
      Object.entries(resources).filter(([kind, count]) => count > (before.resources[kind] ?? 0));
    await expect.poll(async () => added((await server.measure()).resources)).toEqual([]);
    const after = await server.measure();
    expect(after.heap - before.heap).toBeLessThan(GROWTH);
    expect(server.raw.stderr).toBe("");
  });

  test("case HTTP-14 case HTTP-21 K3 gives refused floods neither a session id nor a slot", async () => {
    await using server = await startHttpProcess({ http: { sessions: 50 } });
    await flood(server, 200);
    const before = await server.measure();
    expect(before.counts.sessions).toBe(50);
    expect(await flood(server, REFUSED)).toEqual({ "GET 400": REFUSED / 4, "DELETE 400": REFUSED / 4, "POST 503": REFUSED / 2 });
    const after = await server.measure();
    expect(after.counts).toMatchObject({ sessions: 50, streams: 0, running: 0 });
    expect(after.heap - before.heap).toBeLessThan(GROWTH);
  });
});

/** Requests without a session, a quarter each by GET and DELETE, the rest to open one; how often which status came. */
async function flood({ port }: HttpProcess, count: number): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {};
  await onSockets(port, 32, count, async (socket, at) => {
    const method = at < count / 4 ? "GET" : at < count / 2 ? "DELETE" : "POST";
    const { status } = method === "POST" ? await socket.post(initialize()) : await socket.send(method, []);
    const key = `${method} ${status}`;
    statuses[key] = (statuses[key] ?? 0) + 1;
  });
  return statuses;
}

async function becomes(server: HttpProcess, counts: Partial<Held["counts"]>): Promise<void> {
  await expect.poll(() => server.count()).toMatchObject(counts);
}

/** Ids have at least 128 random bits: all differ, and each character is about equally frequent at each position. */
function judgeIds(ids: readonly string[]): void {
  expect([ids.length, new Set(ids).size]).toEqual([SESSIONS, SESSIONS]);
  expect(ids.filter((id) => !/^[\w-]{22,}$/.test(id))).toEqual([]);
  const length = ids[0]!.length;
  const mean = SESSIONS / 64;
  for (let place = 0; place < length; place++) {
    const counts = new Map<string, number>();
    for (const id of ids) counts.set(id[place]!, (counts.get(id[place]!) ?? 0) + 1);
    // Seven standard deviations: by chance once in a thousand million runs.
    const odd = [...counts.values()].filter((count) => Math.abs(count - mean) > 7 * Math.sqrt(mean));
    expect([place, counts.size, odd]).toEqual([place, 64, []]);
  }
}

/** Clients that have everything open at once, and break off without a word; their sessions stay, and are ended by others. */
async function vanish(server: HttpProcess, count: number): Promise<void> {
  const slow = { ms: 200 };
  const clients = Array.from({ length: count }, async (_, at) => {
    using talk = await HttpTalk.open(server.url, { revision: STATEFUL[at % STATEFUL.length]! });
    const silent = talk.begin("POST", {}, talk.calling("wait", slow));
    const flood = talk.calling("flood", { times: 50, size: 30_000 });
    const open = [
      await talk.listen(),
      await talk.call("wait", slow, { progressToken: 1 }),
      await talk.post(flood),
      await talk.send("GET", {}, undefined, "/sse"),
    ];
    expect(open.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    if (at % 2 === 0) for (const answer of open) answer.drop();
    silent.drop();
    return talk.id;
  });
  const ids = await Promise.all(clients);
  await becomes(server, { ...EMPTY, sessions: count });
  await onSockets(server.port, 8, count, async (socket, at) => {
    expect((await socket.send("DELETE", [`Mcp-Session-Id: ${ids[at]}`])).status).toBe(204);
  });
  await becomes(server, EMPTY);
}

test("case HTTP-23 H7 bounds the memory for clients that do not read by the event budget", async () => {
  const READERS = 6;
  // 90 MB are sent to a process that may use 64 of it, and ends when it needs more.
  await using server = await startHttpProcess({ http: { eventBytes: MiB } }, "--max-old-space-size=64");
  const talks = await Promise.all(Array.from({ length: READERS }, () => HttpTalk.open(server.url)));
  const streams = await Promise.all(
    talks.map(async (talk) => {
      const stream = await talk.post(call(1, "flood", { times: 250, size: 60_000 }, { progressToken: 1 }));
      stream.pause();
      return stream;
    }),
  );
  await becomes(server, { running: 0 });
  expect((await server.measure()).heap).toBeLessThan((READERS + 32) * MiB);
  for (const stream of streams) stream.drop();
  for (const talk of talks) talk[Symbol.dispose]();
});
