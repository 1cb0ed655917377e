// Scopes of messages about work that began before: a task, or a tool that waits for an answer. They need the scope of that tool.
import type { IncomingMessage } from "../../../server/classify.ts";
import type { Id } from "../../../wire/json-rpc.ts";
import type { HttpExchange } from "../http-exchange.ts";
import { HttpError } from "../responses.ts";

/** `mayChange`: whether the request concerns a task that may change something. What cannot be looked up is refused. */
export async function checkTask({ refuseWrite }: HttpExchange, mayChange: () => Promise<boolean> | undefined): Promise<void> {
  if (refuseWrite === undefined) return;
  let needsWrite;
  try {
    needsWrite = await mayChange();
  } catch {
    throw new HttpError(503, "The scope of this request cannot be checked now. Retry shortly.", { headers: ["Retry-After", "1"] });
  }
  if (needsWrite === true) throw refuseWrite();
}

/** `mayChange`: whether the client request with this id came from a tool that may change something. */
export function checkResponses({ refuseWrite }: HttpExchange, message: IncomingMessage, mayChange: (id: Id) => boolean): void {
  if (refuseWrite === undefined) return;
  const messages = message.kind === "batch" ? message.messages : [message];
  for (const one of messages) if (one.kind === "response" && mayChange(one.value.id)) throw refuseWrite();
}
