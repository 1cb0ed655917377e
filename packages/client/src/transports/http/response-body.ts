// Bodies of HTTP responses, read up to a limit.
import { InvalidResponseError } from "../../errors.ts";

/** The longest message: bytes of a JSON body, characters of an event. */
export const MAX_MESSAGE_LENGTH = 64 * 1024 * 1024;
/** A shorter body is read to its end, so that its connection can be reused. */
const MAX_DISCARDED_BYTES = 4096;

export type Body = ReadableStream<Uint8Array>;

/** The media type of a response without parameters, in lower case; "" if there is none. */
export function mediaType(response: Response): string {
  return (response.headers.get("content-type") ?? "").replace(/;.*/s, "").trim().toLowerCase();
}

/** The error of a successful response that has no message for a request. */
export function noResponse(method: string, response: Response): InvalidResponseError {
  const type = mediaType(response);
  const isMessage =
    type === "" ? response.status === 202 || response.status === 204 : ["application/json", "text/event-stream"].includes(type);
  const problem = isMessage
    ? "sent no response"
    : `its response has ${type === "" ? "no content type" : `the content type ${type.slice(0, 100)}`}: expected application/json or text/event-stream`;
  return new InvalidResponseError(`The server accepted ${method} with HTTP status ${response.status}, but ${problem}`);
}

/** The complete body as text; throws if it is too long or not UTF-8. */
export async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  let remainingBytes = MAX_MESSAGE_LENGTH;
  try {
    for await (const chunk of chunksOf(response)) {
      remainingBytes -= chunk.length;
      if (remainingBytes < 0) throw new InvalidResponseError(`Response too long: expected at most ${MAX_MESSAGE_LENGTH} bytes`);
      text += decoder.decode(chunk, { stream: true });
    }
    return text + decoder.decode();
  } catch (error) {
    if (error instanceof TypeError && "code" in error && error.code === "ERR_ENCODING_INVALID_ENCODED_DATA") {
      throw new InvalidResponseError("Invalid response: expected UTF-8");
    }
    throw error;
  }
}

/** The first bytes of a body as text, without waiting for the rest. A body that fails gives the text before the failure. */
export async function readStart(response: Response, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let remainingBytes = maxBytes;
  try {
    for await (const chunk of chunksOf(response)) {
      text += decoder.decode(chunk.subarray(0, remainingBytes), { stream: true });
      remainingBytes -= chunk.length;
      if (remainingBytes <= 0) break;
    }
  } catch {
    // The text before the failure is enough for an error message.
  }
  return text;
}

/** Discards a body. */
export async function discardBody(response: Response): Promise<void> {
  await readStart(response, MAX_DISCARDED_BYTES);
}

async function* chunksOf({ body }: Response): AsyncGenerator<Uint8Array, void> {
  // Node's streams are async iterables, and are cancelled when the iteration ends early.
  if (body !== null) yield* body as AsyncIterable<Uint8Array>;
}
