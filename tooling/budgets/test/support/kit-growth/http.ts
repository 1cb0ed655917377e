/** Growth of work over HTTP: sessions, streams, events, bodies. */
import { toFetch, type FetchHandler, type HttpOptions } from "@oarlock/server-kit/fetch";
import { CONSTANT, LINEAR, type Prepare } from "../growth.ts";
import { call, INITIALIZE, makeServer, MANY, READY, type Case } from "./server.ts";

const HTTP: HttpOptions = { http: { sessions: MANY, unreadyMs: MANY, listens: MANY, streams: MANY } };

async function post(handle: FetchHandler, body: string, session?: string): Promise<Response> {
  const headers = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    ...(session !== undefined && { "mcp-session-id": session }),
  };
  return handle(new Request("http://localhost/mcp", { method: "POST", headers, body }));
}

async function initialize(handle: FetchHandler): Promise<string> {
  const opened = await post(handle, INITIALIZE);
  const session = opened.headers.get("mcp-session-id");
  if (session === null) throw new Error(`No session opened: status ${opened.status}`);
  return session;
}

async function open(handle: FetchHandler): Promise<string> {
  const session = await initialize(handle);
  await post(handle, READY, session);
  return session;
}

const remove = (handle: FetchHandler, session: string): Promise<Response> =>
  handle(new Request("http://localhost/mcp", { method: "DELETE", headers: { "mcp-session-id": session } }));

const withHandler =
  (work: (handle: FetchHandler, size: number) => Promise<() => Promise<unknown>>, options: HttpOptions = HTTP): Prepare =>
  async (size) => {
    const handle = toFetch(makeServer(), options);
    return { act: await work(handle, size), end: () => handle.close(0) };
  };

const CALLS = 200;

/** Open sessions by their number. Opening them costs far more than the measured calls, so they are opened once. */
const openSessions: Record<number, Promise<{ handle: FetchHandler; used: string[] }>> = {};

/** Sessions, of which each seventh is used. */
async function openMany(size: number): Promise<{ handle: FetchHandler; used: string[] }> {
  const handle = toFetch(makeServer(), HTTP);
  const used: string[] = [];
  for (let at = 0; at < size; at++)
    if (at % 7 === 0 && used.length < CALLS) used.push(await open(handle));
    else await initialize(handle);
  return { handle, used };
}

export const SESSIONS: Record<string, Case> = {
  "sessions opened, used once and closed": {
    size: 200,
    bound: LINEAR,
    prepare: withHandler(async (handle, size) => async () => {
      for (let at = 0; at < size; at++) {
        const session = await open(handle);
        await (await post(handle, call(1, "echo", { message: "x" }), session)).text();
        await remove(handle, session);
      }
    }),
  },
  "sessions opened together, then closed": {
    size: 200,
    bound: LINEAR,
    prepare: withHandler(async (handle, size) => async () => {
      const all: string[] = [];
      for (let at = 0; at < size; at++) all.push(await open(handle));
      for (const session of all) await remove(handle, session);
    }),
  },
  "calls beside many open sessions": {
    size: 3000,
    bound: CONSTANT,
    async prepare(size) {
      const { handle, used } = await (openSessions[size] ??= openMany(size));
      return {
        async act() {
          for (const [at, session] of used.entries()) await (await post(handle, call(at, "echo", { message: "x" }), session)).text();
        },
      };
    },
  },
  "ended streams of one session": {
    size: 150,
    bound: LINEAR,
    prepare: withHandler(async (handle, size) => {
      const session = await open(handle);
      return async () => {
        for (let at = 0; at < size; at++) await (await post(handle, call(at, "log", { times: 2 }), session)).text();
      };
    }),
  },
  "events of one stream": {
    size: 2000,
    bound: LINEAR,
    prepare: withHandler(async (handle, size) => {
      const session = await open(handle);
      return async () => (await post(handle, call(1, "log", { times: size }), session)).text();
    }),
  },
  "events beyond the replay buffer": {
    size: 3000,
    bound: LINEAR,
    prepare: withHandler(
      async (handle, size) => {
        const session = await open(handle);
        // The reader is slower than the events, so the server cuts it off.
        return async () => (await post(handle, call(1, "log", { times: size }), session)).text().catch(() => undefined);
      },
      { http: { ...HTTP.http, eventBytes: 100_000 } },
    ),
  },
  "a body in small chunks": {
    size: 200_000,
    bound: LINEAR,
    prepare: withHandler(async (handle, size) => {
      const session = await open(handle);
      const bytes = new TextEncoder().encode(call(1, "echo", { message: "x".repeat(size) }));
      return async () => {
        let at = 0;
        const body = new ReadableStream<Uint8Array>({
          pull(controller) {
            if (at >= bytes.length) return controller.close();
            controller.enqueue(bytes.subarray(at, (at += 1000)));
          },
        });
        const headers = { "content-type": "application/json", accept: "application/json, text/event-stream", "mcp-session-id": session };
        const init: RequestInit = { method: "POST", headers, body, duplex: "half" };
        await (await handle(new Request("http://localhost/mcp", init))).text();
      };
    }),
  },
};
