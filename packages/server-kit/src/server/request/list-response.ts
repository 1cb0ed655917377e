// Answers a list that is the same for every client, in both eras.
import type { Revision } from "../../revisions/index.ts";
import { responseText, type RequestMessage } from "../../wire/json-rpc.ts";
import { completeWithError, type Channel } from "./channel.ts";
import type { ListHandler } from "./request-handler.ts";
import type { Runtime } from "../runtime.ts";

export function answerList(runtime: Runtime, revision: Revision, request: RequestMessage, handler: ListHandler, channel: Channel): void {
  const { id, method, params } = request;
  try {
    channel.complete(responseText(id, runtime.listText(revision, method, handler, params?.cursor)));
  } catch (error) {
    completeWithError(channel, id, error, runtime.report);
  }
}
