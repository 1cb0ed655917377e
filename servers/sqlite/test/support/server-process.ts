// A server process that can be killed, and calls to it whose answers may never come.
import type { Json } from "@oarlock/server-kit/protocol";
import { startRaw, type RawProcess } from "@oarlock/testing";
import { bin } from "./target.ts";

export interface Talk extends AsyncDisposable {
  readonly pid: number;
  readonly server: RawProcess;
  /** The result of a tool; undefined when the server ended before it answered. */
  call(name: string, args: Json): Promise<Json | undefined>;
}

export async function talkTo(args: readonly string[]): Promise<Talk> {
  const server = startRaw(bin(args));
  await server.handshake();
  const open = new Map<number, (answer: Json | undefined) => void>();
  let asked = 0;
  const listen = async (): Promise<void> => {
    for (;;) {
      const line = await server.line(600_000).catch(() => undefined);
      if (line === undefined) break;
      const message = JSON.parse(line) as Json;
      const settle = open.get(message["id"] as number);
      open.delete(message["id"] as number);
      settle?.((message["result"] ?? { isError: true, content: [{ text: JSON.stringify(message["error"]) }] }) as Json);
    }
    for (const settle of open.values()) settle(undefined);
    open.clear();
  };
  void listen();
  return {
    pid: server.pid,
    server,
    call(name, params) {
      const id = ++asked;
      return new Promise((resolve) => {
        open.set(id, resolve);
        void server.send({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: params } });
      });
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

export const saidBy = (result: Json | undefined): string =>
  ((result?.["content"] ?? []) as { text?: string }[]).map(({ text = "" }) => text).join("\n");
