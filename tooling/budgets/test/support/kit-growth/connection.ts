/** Growth of work on one connection in memory: requests, cancellations, subscriptions, lists. */
import { linkMemory, tool, type RuntimeOptions, type ToolDefinition } from "@oarlock/server-kit";
import { LINEAR, type Prepare } from "../growth.ts";
import { call, INITIALIZE, makeServer, READY, releaseWaitingCalls, request, type Case } from "./server.ts";

/** A connection in memory that sends texts and waits for a number of responses. */
function connect(
  server = makeServer(),
  options: RuntimeOptions = {},
): { send(text: string): void; responses(count: number): Promise<void>; end(): Promise<void> } {
  const wire = linkMemory(server, options);
  let received = 0;
  let awaited: { count: number; resolve: () => void } | undefined;
  wire.onText = () => {
    if (++received >= (awaited?.count ?? Infinity)) awaited?.resolve();
  };
  wire.send(INITIALIZE);
  wire.send(READY);
  return {
    send: (text) => wire.send(text),
    responses: (count) => new Promise((resolve) => (received >= count ? resolve() : (awaited = { count, resolve }))),
    end: () => wire.close(),
  };
}

/** Sends all texts in one turn, then waits for their responses and the response to the handshake. */
const exchange =
  (texts: (size: number) => string[], count: (size: number) => number, options?: RuntimeOptions): Prepare =>
  async (size) => {
    const { send, responses, end } = connect(undefined, options);
    await responses(1);
    const ready = texts(size);
    return { act: () => (ready.forEach(send), responses(1 + count(size))), end };
  };

const each = (size: number, text: (at: number) => string): string[] => Array.from({ length: size }, (_, at) => text(at + 1));
const same = (size: number): number => size;

/** All calls are in flight before `then` answers or cancels them. */
const inFlight =
  (then: (size: number, send: (text: string) => void) => void): Prepare =>
  async (size) => {
    const { send, responses, end } = connect();
    await responses(1);
    const calls = each(size, (at) => call(at, "wait"));
    return {
      async act() {
        calls.forEach(send);
        await new Promise((resolve) => setImmediate(resolve));
        then(size, send);
        send(request(size + 1, "ping"));
        await responses(2);
        await new Promise((resolve) => setImmediate(resolve));
      },
      end,
    };
  };

/** Tools by their number. Making them costs far more than adding them, so they are made once. */
const toolLists: Record<number, ToolDefinition[]> = {};
const toolsOf = (size: number): ToolDefinition[] =>
  (toolLists[size] ??= each(size, (at) => String(at)).map((name) => tool({ name, description: name, run: () => name })));

export const CONNECTION: Record<string, Case> = {
  "requests one after another": {
    size: 2000,
    bound: LINEAR,
    prepare: exchange((size) => each(size, (at) => call(at, "echo", { message: "x" })), same),
  },
  "a longer message": {
    size: 1_000_000,
    bound: LINEAR,
    prepare: exchange(
      (size) => [call(1, "echo", { message: "x".repeat(size) })],
      () => 1,
    ),
  },
  "queued requests": {
    size: 1000,
    bound: LINEAR,
    prepare: exchange((size) => each(size, (at) => call(at, "soon")), same, { limits: { concurrency: 8 } }),
  },
  "requests in flight, answered together": { size: 1000, bound: LINEAR, prepare: inFlight(releaseWaitingCalls) },
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
    prepare: exchange(
      (size) =>
        ["subscribe", "unsubscribe"].flatMap((what) => each(size, (at) => request(at, `resources/${what}`, { uri: "growth://all" }))),
      (size) => 2 * size,
    ),
  },
  "tools added one by one": {
    size: 1000,
    bound: LINEAR,
    prepare: (size) => {
      const { tools } = makeServer();
      const all = toolsOf(size);
      return { act: () => all.forEach((one) => tools.add(one)) };
    },
  },
  "a list of tools, page by page": { size: 300, bound: LINEAR, prepare: pages },
};

/** Walks through all pages by their cursors. */
function pages(size: number): { act(): Promise<void>; end(): Promise<void> } {
  const server = makeServer();
  server.tools.add(...toolsOf(size));
  const wire = linkMemory(server);
  let next = (_text: string): void => undefined;
  wire.onText = (text) => next(text);
  const sendRequest = (text: string): Promise<string> => new Promise((resolve) => ((next = resolve), wire.send(text)));
  return {
    async act() {
      await sendRequest(INITIALIZE);
      let seen = 0;
      for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
        const { result } = JSON.parse(await sendRequest(request(1, "tools/list", { ...(cursor !== undefined && { cursor }) }))) as {
          result: { tools: unknown[]; nextCursor?: string };
        };
        seen += result.tools.length;
        cursor = result.nextCursor;
      }
      if (seen !== server.tools.size) throw new Error(`Expected ${server.tools.size} tools, got ${seen}`);
    },
    end: () => wire.close(),
  };
}
