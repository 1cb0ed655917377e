// Answers a list that is the same for every client, or for every client of a variant, in both eras.
import { responseText, type RequestMessage } from "../../wire/json-rpc.ts";
import { completeWithError, type Channel } from "./channel.ts";
import type { ListHandler } from "./request-handler.ts";
import type { ListReader, Runtime } from "../runtime.ts";

export function answerList(runtime: Runtime, reader: ListReader, request: RequestMessage, handler: ListHandler, channel: Channel): void {
  const { id, method, params } = request;
  try {
    channel.complete(responseText(id, runtime.listText(reader, method, handler, params?.cursor)));
  } catch (error) {
    completeWithError(channel, id, error, runtime.report);
  }
}
