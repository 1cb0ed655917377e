// Answers that need no handler: a list that is the same for every client, or for every client of a variant, and the like.
import { responseText, type RequestMessage } from "../../wire/json-rpc.ts";
import type { Revision } from "../../revisions/index.ts";
import { completeWithError, type Channel } from "./channel.ts";
import { endOfError } from "./observer.ts";
import type { ListHandler } from "./request-handler.ts";
import type { ListReader, Runtime } from "../runtime.ts";

export function answerList(runtime: Runtime, reader: ListReader, request: RequestMessage, handler: ListHandler, channel: Channel): void {
  const { method, params } = request;
  answerNow(runtime, request, reader.revision, channel, () => runtime.listText(reader, method, handler, params?.cursor));
}

/** Answers with the text of a result. */
export function answerNow(
  runtime: Runtime,
  { id, method, params }: RequestMessage,
  revision: Revision,
  channel: Channel,
  makeText: () => string,
): void {
  const observation = runtime.observe({ id, method, revision }, params);
  try {
    const text = makeText();
    observation?.ended({ outcome: "success" });
    channel.complete(responseText(id, text));
  } catch (error) {
    observation?.ended(endOfError(error));
    completeWithError(channel, id, error, runtime.report);
  }
}
