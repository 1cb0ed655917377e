// A result as text. Tools give a long text twice, as a block for the model and as a member of the structured content: it is
// encoded once. What is encoded already goes in as it is. Lengths are those of UTF-8.
import { Encoded } from "../features/content.ts";
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
  const blocks: readonly unknown[] = content;
  const told = structuredContent instanceof Encoded;
  if (!told && !blocks.some(hasPart)) return result;
  const mark = (part: Encoded | string): string => MARK + (parts.push(part instanceof Encoded ? part.json : encode(part)) - 1);
  const marked = { ...result, content: blocks.map((block) => (hasPart(block) ? { ...block, text: mark(block.text) } : block)) };
  if (told) return { ...marked, structuredContent: mark(structuredContent) };
  if (!isObject(structuredContent) || !isPart(structuredContent.content)) return marked;
  return { ...marked, structuredContent: { ...structuredContent, content: mark(structuredContent.content) } };
}

/** What goes in by itself: encoded already, or worth it. */
const isPart = (value: unknown): value is Encoded | string =>
  value instanceof Encoded || (typeof value === "string" && value.length >= LONG);

const hasPart = (block: unknown): block is { text: Encoded | string } => isObject(block) && isPart(block.text);

/** In bytes of UTF-8. Node counts without making them. */
export const byteLength: (text: string) => number =
  typeof Buffer === "undefined" ? (text) => new TextEncoder().encode(text).length : (text) => Buffer.byteLength(text);
