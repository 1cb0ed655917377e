// The body of a response, read up to a limit.
import { EmbeddingsError } from "./embedder.ts";

/** 32 vectors of 8,192 numbers with 25 characters each, and room. */
export const MAX_BODY_BYTES = 8 * 1024 * 1024;

/** Ends the transfer where the body is larger. */
export async function readBody(response: Response, maxBytes: number = MAX_BODY_BYTES): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop cancels the stream.
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new EmbeddingsError("malformed", `answers with more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}
