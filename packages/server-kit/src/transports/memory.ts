// A server and its client in one process, linked by two queues of texts; for tests and for embedding.
import { Runtime, type RuntimeOptions } from "../server/endpoint.ts";
import type { Server } from "../server/define.ts";
import { errorText } from "../wire/json-rpc.ts";
import type { Wire } from "../wire/wire.ts";

/**
 * Serves a server to one client in this process; gives the client's end.
 * @example
 * const wire = linkMemory(server);
 * wire.onText = (text) => console.error("server says", text);
 * wire.send('{"jsonrpc":"2.0","id":1,"method":"ping"}');
 */
export function linkMemory(server: Server, options: RuntimeOptions = {}): Wire {
  const runtime = new Runtime(server, options);
  let open = true;
  // Each side gets its messages in a later turn, as over any other transport.
  const deliver = (text: string): void => queueMicrotask(() => open && wire.onText?.(text));
  const connection = runtime.connect({
    notify: deliver,
    complete: (text) => text !== undefined && deliver(text),
    refuse: (error) => deliver(errorText(null, error)),
  });
  const wire: Wire = {
    onText: undefined,
    onClose: undefined,
    send: (text) => queueMicrotask(() => open && connection.receive(text)),
    async close() {
      if (!open) return;
      await connection.finish(0);
      open = false;
      await runtime.close();
      wire.onClose?.();
    },
  };
  return wire;
}
