// A server and its client in one process.
import { expect, test, vi } from "vitest";
import { defineServer, linkMemory, tool } from "../../src/index.ts";
import { sampleServer } from "../fixtures/sample-server.ts";

const ping = (id: number): string => `{"jsonrpc":"2.0","id":${id},"method":"ping"}`;
const pong = (id: number): string => `{"jsonrpc":"2.0","id":${id},"result":{}}`;

test("TRANS-01 delivers messages in order, in a later turn", async () => {
  const wire = linkMemory(sampleServer());
  const came: string[] = [];
  wire.onText = (text) => void came.push(text);
  for (let id = 0; id < 5; id++) wire.send(ping(id));
  expect(came).toEqual([]);
  await vi.waitFor(() => expect(came).toHaveLength(5), 30_000);
  expect(came).toEqual([0, 1, 2, 3, 4].map(pong));
  await wire.close();
});

test("passes no message after close(), and calls onClose once", async () => {
  const wire = linkMemory(sampleServer());
  const came = vi.fn<(text: string) => void>();
  const closed = vi.fn<(error?: Error) => void>();
  wire.onText = came;
  wire.onClose = closed;
  await wire.close();
  await wire.close();
  wire.send(ping(1));
  await new Promise(setImmediate);
  expect(came).not.toHaveBeenCalled();
  expect(closed).toHaveBeenCalledExactlyOnceWith();
});

test("aborts running work and closes the server at its end", async () => {
  const close = vi.fn<() => void>();
  const aborted = vi.fn<() => void>();
  const hang = tool({ name: "hang", run: (_input, { signal }) => new Promise<string>(() => signal.addEventListener("abort", aborted)) });
  const wire = linkMemory(defineServer({ name: "x", version: "1", tools: [hang], close }));
  wire.send(
    '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}',
  );
  wire.send('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"hang"}}');
  await new Promise(setImmediate);
  await wire.close();
  expect(aborted).toHaveBeenCalledTimes(1);
  expect(close).toHaveBeenCalledTimes(1);
});
