/** Work of the kit that must grow no faster than what there is of it. */
import { defineServer, fromJsonSchema, linkMemory, resource, tool, type RuntimeOptions, type Server } from "@oarlock/server-kit";
import { toFetch, type FetchHandler, type HttpOptions } from "@oarlock/server-kit/fetch";
import { CONSTANT, LINEAR, type Prepare } from "./growth.ts";

export interface Case {
  size: number;
  bound: number;
  prepare: Prepare;
}

type Json = Record<string, unknown>;

const MANY = 1_000_000;
const limits: RuntimeOptions["limits"] = {
  ...{ concurrency: MANY, queue: MANY, callsPerSecond: MANY, subscriptions: MANY, subscriptionStreams: MANY, logsPerSecond: MANY },
  messageBytes: 64 * MANY,
};

const any = fromJsonSchema<Json>({ type: "object" }, () => undefined);

/** Handlers that wait until they are all let go. */
let release = Promise.withResolvers<string>();
function letGo(): void {
  release.resolve("released");
  release = Promise.withResolvers<string>();
}

const makeServer = (): Server =>
  defineServer({
    name: "growth",
    version: "1.0.0",
    limits,
    tools: [
      tool({ name: "echo", input: any, run: ({ message }) => String(message) }),
      tool({ name: "soon", run: async () => "soon" }),
      tool({ name: "wait", run: (_input, { signal }) => Promise.race([release.promise, aborted(signal)]) }),
      tool({
        name: "log",
        input: any,
        run({ times }, { log }) {
          for (let time = 0; time < Number(times); time++) log.info(time);
          return "logged";
        },
      }),
    ],
    resources: [resource({ uri: "growth://all", name: "all", read: () => "all", watch: () => () => undefined })],
  });

const aborted = (signal: AbortSignal): Promise<string> =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true }));

const request = (id: number, method: string, params: Json = {}): string => JSON.stringify({ jsonrpc: "2.0", id, method, params });
const call = (id: number, name: string, args: Json = {}): string => request(id, "tools/call", { name, arguments: args });
const INITIALIZE = request(0, "initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "g", version: "0" } });
const READY = '{"jsonrpc":"2.0","method":"notifications/initialized"}';

// ── one connection ──────────────────────────────────────────────────────────────────────────────────────────────────

/** A conversation in memory: texts go out in the next turn, and `count` answers are waited for. */
function talk(
  server = makeServer(),
  options: RuntimeOptions = {},
): { send(text: string): void; answers(count: number): Promise<void>; end(): Promise<void> } {
  const wire = linkMemory(server, options);
  let came = 0;
  let due: { count: number; resolve: () => void } | undefined;
  wire.onText = () => {
    if (++came >= (due?.count ?? Infinity)) due?.resolve();
  };
  wire.send(INITIALIZE);
  wire.send(READY);
  return {
    send: (text) => wire.send(text),
    answers: (count) => new Promise((resolve) => (came >= count ? resolve() : (due = { count, resolve }))),
    end: () => wire.close(),
  };
}

/** Texts in one go, and as many answers as come of them and of the handshake. */
const said =
  (texts: (size: number) => string[], answers: (size: number) => number, options?: RuntimeOptions): Prepare =>
  async (size) => {
    const { send, answers: all, end } = talk(undefined, options);
    await all(1);
    const ready = texts(size);
    return { act: () => (ready.forEach(send), all(1 + answers(size))), end };
  };

const each = (size: number, text: (at: number) => string): string[] => Array.from({ length: size }, (_, at) => text(at + 1));
const same = (size: number): number => size;

/** All wait, then all are answered or cancelled. */
const inFlight =
  (then: (size: number, send: (text: string) => void) => void): Prepare =>
  async (size) => {
    const { send, answers, end } = talk();
    await answers(1);
    const calls = each(size, (at) => call(at, "wait"));
    return {
      async act() {
        calls.forEach(send);
        await new Promise((resolve) => setImmediate(resolve));
        then(size, send);
        send(request(size + 1, "ping"));
        await answers(2);
        await new Promise((resolve) => setImmediate(resolve));
      },
      end,
    };
  };

export const CONNECTION: Record<string, Case> = {
  "requests one after another": {
    size: 2000,
    bound: LINEAR,
    prepare: said((size) => each(size, (at) => call(at, "echo", { message: "x" })), same),
  },
  "a longer message": {
    size: 1_000_000,
    bound: LINEAR,
    prepare: said(
      (size) => [call(1, "echo", { message: "x".repeat(size) })],
      () => 1,
    ),
  },
  "requests that wait for a place": {
    size: 1000,
    bound: LINEAR,
    prepare: said((size) => each(size, (at) => call(at, "soon")), same, { limits: { concurrency: 8 } }),
  },
  "requests in flight, answered together": { size: 1000, bound: LINEAR, prepare: inFlight(letGo) },
  "requests in flight, each cancelled": {
    size: 1000,
    bound: LINEAR,
    prepare: inFlight((size, send) => {
      for (let id = 1; id <= size; id++)
        send(JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } }));
    }),
  },
  subscriptions: {
    size: 500,
    bound: LINEAR,
    prepare: said(
      (size) =>
        ["subscribe", "unsubscribe"].flatMap((what) => each(size, (at) => request(at, `resources/${what}`, { uri: "growth://all" }))),
      (size) => 2 * size,
    ),
  },
  "tools that are added one by one": {
    size: 1000,
    bound: LINEAR,
    prepare: (size) => {
      const { tools } = makeServer();
      const all = each(size, String).map((name) => tool({ name, description: name, run: () => name }));
      return { act: () => all.forEach((one) => tools.add(one)) };
    },
  },
  "a list of tools, page by page": { size: 300, bound: LINEAR, prepare: pages },
};

/** Walks through all pages by their cursors. */
function pages(size: number): { act(): Promise<void>; end(): Promise<void> } {
  const server = makeServer();
  server.tools.add(...each(size, String).map((name) => tool({ name, description: name, run: () => name })));
  const wire = linkMemory(server);
  let next = (_text: string): void => undefined;
  wire.onText = (text) => next(text);
  const ask = (text: string): Promise<string> => new Promise((resolve) => ((next = resolve), wire.send(text)));
  return {
    async act() {
      await ask(INITIALIZE);
      let seen = 0;
      for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
        const { result } = JSON.parse(await ask(request(1, "tools/list", { ...(cursor !== undefined && { cursor }) }))) as {
          result: { tools: unknown[]; nextCursor?: string };
        };
        seen += result.tools.length;
        cursor = result.nextCursor;
      }
      if (seen !== server.tools.size) throw new Error(`${seen} tools were listed`);
    },
    end: () => wire.close(),
  };
}

// ── HTTP ────────────────────────────────────────────────────────────────────────────────────────────────────────────

const HTTP: HttpOptions = { http: { sessions: MANY, listens: MANY, streams: MANY } };

async function post(handle: FetchHandler, body: string, session?: string): Promise<Response> {
  const headers = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    ...(session !== undefined && { "mcp-session-id": session }),
  };
  return handle(new Request("http://localhost/mcp", { method: "POST", headers, body }));
}

async function open(handle: FetchHandler): Promise<string> {
  const opened = await post(handle, INITIALIZE);
  const session = opened.headers.get("mcp-session-id");
  if (session === null) throw new Error(`no session: ${opened.status}`);
  await post(handle, READY, session);
  return session;
}

const remove = (handle: FetchHandler, session: string): Promise<Response> =>
  handle(new Request("http://localhost/mcp", { method: "DELETE", headers: { "mcp-session-id": session } }));

const over =
  (work: (handle: FetchHandler, size: number) => Promise<() => Promise<unknown>>, options: HttpOptions = HTTP): Prepare =>
  async (size) => {
    const handle = toFetch(makeServer(), options);
    return { act: await work(handle, size), end: () => handle.close(0) };
  };

const CALLS = 200;

/** So many sessions, opened once: that costs far more than the calls. */
const crowds: Record<number, Promise<{ handle: FetchHandler; all: string[] }>> = {};

async function crowd(size: number): Promise<{ handle: FetchHandler; all: string[] }> {
  const handle = toFetch(makeServer(), HTTP);
  const all: string[] = [];
  for (let at = 0; at < size; at++) all.push(await open(handle));
  return { handle, all };
}

export const SESSIONS: Record<string, Case> = {
  "sessions that come, call and go": {
    size: 200,
    bound: LINEAR,
    prepare: over(async (handle, size) => async () => {
      for (let at = 0; at < size; at++) {
        const session = await open(handle);
        await (await post(handle, call(1, "echo", { message: "x" }), session)).text();
        await remove(handle, session);
      }
    }),
  },
  "sessions that stay, then go": {
    size: 200,
    bound: LINEAR,
    prepare: over(async (handle, size) => async () => {
      const all: string[] = [];
      for (let at = 0; at < size; at++) all.push(await open(handle));
      for (const session of all) await remove(handle, session);
    }),
  },
  "a call among so many sessions": {
    size: 3000,
    bound: CONSTANT,
    async prepare(size) {
      const { handle, all } = await (crowds[size] ??= crowd(size));
      return {
        async act() {
          for (let at = 0; at < CALLS; at++) await (await post(handle, call(at, "echo", { message: "x" }), all[(at * 7) % size])).text();
        },
      };
    },
  },
  "streams that have ended": {
    size: 150,
    bound: LINEAR,
    prepare: over(async (handle, size) => {
      const session = await open(handle);
      return async () => {
        for (let at = 0; at < size; at++) await (await post(handle, call(at, "log", { times: 2 }), session)).text();
      };
    }),
  },
  "events of one stream": {
    size: 2000,
    bound: LINEAR,
    prepare: over(async (handle, size) => {
      const session = await open(handle);
      return async () => (await post(handle, call(1, "log", { times: size }), session)).text();
    }),
  },
  "events beyond what is kept": {
    size: 3000,
    bound: LINEAR,
    prepare: over(
      async (handle, size) => {
        const session = await open(handle);
        // The reader does not come along, and is cut off: that is what it hears.
        return async () => (await post(handle, call(1, "log", { times: size }), session)).text().catch(() => undefined);
      },
      { http: { ...HTTP.http, eventBytes: 100_000 } },
    ),
  },
  "a body in small chunks": {
    size: 200_000,
    bound: LINEAR,
    prepare: over(async (handle, size) => {
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
