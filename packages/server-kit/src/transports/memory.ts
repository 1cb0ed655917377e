// The in-memory transport: a server and its client in one process, for tests and for embedding.
import { Connection } from "../runtime/connection.ts";
import { pipeChannel } from "../runtime/request/channel.ts";
import { Runtime, type RuntimeOptions } from "../runtime/runtime.ts";
import type { Server } from "../runtime/define.ts";
import type { Wire } from "../wire/wire.ts";

/**
 * Serves a server to one client in this process. Returns the client's end of the connection.
 * @example
 * const wire = linkMemory(server);
 * wire.onText = (text) => console.error("from the server:", text);
 * wire.send('{"jsonrpc":"2.0","id":1,"method":"ping"}');
 */
export function linkMemory(server: Server, options: RuntimeOptions = {}): Wire {
  const runtime = new Runtime(server, options);
  let isOpen = true;
  // Messages arrive in a later turn, as over every other transport.
  const deliver = (text: string): void => queueMicrotask(() => isOpen && wire.onText?.(text));
  const connection = new Connection(runtime, pipeChannel(deliver));
  const wire: Wire = {
    onText: undefined,
    onClose: undefined,
    send: (text) => queueMicrotask(() => isOpen && connection.receive(text)),
    async close() {
      if (!isOpen) return;
      await connection.finish(0);
      isOpen = false;
      await runtime.close();
      wire.onClose?.();
    },
  };
  return wire;
}
