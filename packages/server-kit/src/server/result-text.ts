// A result as text. Tools give a long text twice, as a block for the model and as a member of the structured content: it is
// encoded once. What is encoded already goes in as it is. Lengths are those of UTF-8.
import { EncodedJson } from "../features/content.ts";
import { isObject, type Json } from "../wire/json-rpc.ts";

/** Shorter texts are not worth the search. */
const LONG = 16 * 1024;

/** Stands for an encoded part meanwhile, with its number behind; nobody outside can know it. */
const MARK = `<${Math.random()}${Math.random()}:`;
const MARKED = new RegExp(`"${MARK.replaceAll(".", "\\.")}(\\d+)"`);

/** The last long text that was encoded, until a result is. */
let last: { text: string; encoded: string } | undefined;

/**
 * Bytes that a text takes as a JSON string, to see whether a result will fit. A long text that is then given as the result's text
 * and its structured `content` is not encoded again. `utf8Bytes`: what it takes in UTF-8, where that is known and need not be counted.
 */
export function jsonBytes(text: string, utf8Bytes?: number): number {
  const encoded = encode(text);
  // Escapes are ASCII.
  return utf8Bytes === undefined ? byteLength(encoded) : utf8Bytes + encoded.length - text.length;
}

function encode(text: string): string {
  if (last?.text === text) return last.encoded;
  const encoded = JSON.stringify(text);
  if (text.length >= LONG) last = { text, encoded };
  return encoded;
}

export function resultText(result: Json): string {
  const parts: string[] = [];
  const marked = withMarks(result, parts);
  last = undefined;
  const text = JSON.stringify(marked);
  if (parts.length === 0) return text;
  // Texts and numbers of parts by turns; put together without a copy.
  return text.split(MARKED).reduce((all, piece, at) => all + (at % 2 === 0 ? piece : parts[Number(piece)]), "");
}

/** The result with marks in the place of what is encoded, which is put into `parts`. */
function withMarks(result: Json, parts: string[]): Json {
  const { content, structuredContent } = result;
  if (!Array.isArray(content)) return result;
  const mark = (json: string): string => MARK + (parts.push(json) - 1);
  const blocks: readonly unknown[] = content;
  const [first] = blocks;
  const long =
    blocks.length === 1 && isObject(first) && typeof first.text === "string" && first.text.length >= LONG ? first.text : undefined;
  if (long !== undefined) {
    const twin = mark(encode(long));
    const same = isObject(structuredContent) && structuredContent.content === long;
    const structured = same ? { structuredContent: { ...structuredContent, content: twin } } : {};
    return { ...result, content: [{ ...(first as Json), text: twin }], ...structured }; // long was taken from it
  }
  const isEncoded = (block: unknown): block is { text: EncodedJson } => isObject(block) && block.text instanceof EncodedJson;
  const whole = structuredContent instanceof EncodedJson ? { structuredContent: mark(structuredContent.json) } : undefined;
  if (whole === undefined && !blocks.some(isEncoded)) return result;
  return { ...result, content: blocks.map((block) => (isEncoded(block) ? { ...block, text: mark(block.text.json) } : block)), ...whole };
}

/** In bytes of UTF-8. Node counts without making them. */
export const byteLength: (text: string) => number =
  typeof Buffer === "undefined" ? (text) => new TextEncoder().encode(text).length : (text) => Buffer.byteLength(text);
