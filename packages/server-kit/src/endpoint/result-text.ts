// A result as text. Tools give a long text twice, as a block for the model and as a member of the structured content: it is
// encoded once. Lengths are those of UTF-8.
import { isObject, type Json } from "../wire/json-rpc.ts";

/** Shorter texts are not worth the search. */
const LONG = 16 * 1024;

/** Stands for the text meanwhile; nobody outside can know it. */
const MARK = `\u0001${Math.random()}${Math.random()}\u0001`;
const MARKED = JSON.stringify(MARK);

/** The last long text that was encoded, until a result is. */
let last: { text: string; encoded: string } | undefined;

/**
 * Bytes that a text takes as a JSON string, to see whether a result will fit. A long text that is then given as the result's text
 * and its structured `content` is not encoded again.
 */
export function jsonBytes(text: string): number {
  return byteLength(encode(text));
}

function encode(text: string): string {
  if (last?.text === text) return last.encoded;
  const encoded = JSON.stringify(text);
  if (text.length >= LONG) last = { text, encoded };
  return encoded;
}

export function resultText(result: Json): string {
  const long = longText(result);
  const encoded = long === undefined ? "" : encode(long);
  last = undefined;
  if (long === undefined) return JSON.stringify(result);
  const { content, structuredContent, ...rest } = result as { content: [Json]; structuredContent?: unknown }; // longText has looked
  const twin =
    isObject(structuredContent) && structuredContent.content === long ? { ...structuredContent, content: MARK } : structuredContent;
  const [start = "", ...parts] = JSON.stringify({ ...rest, content: [{ ...content[0], text: MARK }], structuredContent: twin }).split(
    MARKED,
  );
  return parts.reduce((text, part) => text + encoded + part, start);
}

/** The text of the one block, where it is long. */
function longText({ content }: Json): string | undefined {
  if (!Array.isArray(content) || content.length !== 1) return undefined;
  const [block]: unknown[] = content;
  return isObject(block) && typeof block.text === "string" && block.text.length >= LONG ? block.text : undefined;
}

/** In bytes of UTF-8. Node counts without making them. */
export const byteLength: (text: string) => number =
  typeof Buffer === "undefined" ? (text) => new TextEncoder().encode(text).length : (text) => Buffer.byteLength(text);
