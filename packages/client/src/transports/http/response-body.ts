// Bodies of answers, read with a bound.
import { BadAnswer } from "../../errors.ts";

/** Longest message taken from a server: bytes of a JSON body, characters of an event. */
export const LONGEST_MESSAGE = 64 * 1024 * 1024;

export type Body = ReadableStream<Uint8Array>;

/** A body's media type without its parameters, in lower case; "" when there is none. */
export function mediaType(response: Response): string {
  return (response.headers.get("content-type") ?? "").replace(/;.*/s, "").trim().toLowerCase();
}

/** A whole body as text; throws when it is too long or not UTF-8. */
export async function wholeText(response: Response): Promise<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  let left = LONGEST_MESSAGE;
  try {
    for await (const chunk of bytesOf(response)) {
      if ((left -= chunk.length) < 0) throw new BadAnswer(`The server's answer is longer than ${LONGEST_MESSAGE} bytes`);
      text += decoder.decode(chunk, { stream: true });
    }
    return text + decoder.decode();
  } catch (error) {
    if (error instanceof TypeError && "code" in error && error.code === "ERR_ENCODING_INVALID_ENCODED_DATA") {
      throw new BadAnswer("The server's answer is not UTF-8");
    }
    throw error;
  }
}

/** The start of a body, whatever it holds; the rest is not waited for. */
export async function startOf(response: Response, bytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let left = bytes;
  try {
    for await (const chunk of bytesOf(response)) {
      text += decoder.decode(chunk.subarray(0, left), { stream: true });
      if ((left -= chunk.length) <= 0) break;
    }
  } catch {
    // A body that breaks has said what it could.
  }
  return text;
}

/** Lets go of a body that nobody wants; a short one is read, so that its connection can be used again. */
export async function dropBody(response: Response): Promise<void> {
  await startOf(response, 4096);
}

async function* bytesOf({ body }: Response): AsyncGenerator<Uint8Array, void> {
  // Node's streams can be walked over, and let go of what is left when the walk ends early.
  if (body !== null) yield* body as AsyncIterable<Uint8Array>;
}
