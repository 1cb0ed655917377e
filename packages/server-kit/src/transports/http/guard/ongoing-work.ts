// Checks the write scope of messages that continue earlier work: requests about work that goes on after its response, and answers that a tool
// waits for. If the tool may change something, the caller needs the scope for writing. `refuseWrite` of an exchange is undefined when the
// caller has it.
import type { IncomingMessage } from "../../../runtime/classify.ts";
import type { Id } from "../../../wire/json-rpc.ts";
import type { HttpExchange } from "../http-exchange.ts";
import { HttpError } from "../responses.ts";

/** Throws unless the caller may use the work. `mayChange`: whether its tool may change something; a lookup that fails is answered with 503. */
export async function checkOngoingWork({ refuseWrite }: HttpExchange, mayChange: () => Promise<boolean> | undefined): Promise<void> {
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
