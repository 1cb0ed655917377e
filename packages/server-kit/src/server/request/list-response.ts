// Answers a list that is the same for every client, or for every client of a variant, in both eras.
import { responseText, type RequestMessage } from "../../wire/json-rpc.ts";
import { toFailure } from "../../protocol/errors.ts";
import { completeWithError, type Channel } from "./channel.ts";
import { endOfFailure } from "./observer.ts";
import type { ListHandler } from "./request-handler.ts";
import type { ListReader, Runtime } from "../runtime.ts";

export function answerList(runtime: Runtime, reader: ListReader, request: RequestMessage, handler: ListHandler, channel: Channel): void {
  const { id, method, params } = request;
  const observation = runtime.observe({ id, method, revision: reader.revision }, params);
  try {
    const text = runtime.listText(reader, method, handler, params?.cursor);
    observation?.ended({ outcome: "success" });
    channel.complete(responseText(id, text));
  } catch (error) {
    observation?.ended(
      endOfFailure(
        toFailure(error, () => undefined),
        false,
      ),
    );
    completeWithError(channel, id, error, runtime.report);
  }
}
