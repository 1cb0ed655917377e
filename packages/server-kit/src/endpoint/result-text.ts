// A result as text. Tools give a long text twice, as a block for the model and as a member of the structured content: it is
// encoded once. Lengths are those of UTF-8.
import { isObject, type Json } from "../wire/json-rpc.ts";

/** Shorter texts are not worth the search. */
const LONG = 16 * 1024;

/** Stands for the text meanwhile; nobody outside can know it. */
const MARK = `\u0001${Math.random()}${Math.random()}\u0001`;
const MARKED = JSON.stringify(MARK);

export function resultText(result: Json): string {
  const twice = longTwice(result);
  if (twice === undefined) return JSON.stringify(result);
  const { content, structuredContent, ...rest } = result as { content: [Json]; structuredContent: Json }; // longTwice has looked
  const marked = { ...rest, content: [{ ...content[0], text: MARK }], structuredContent: { ...structuredContent, content: MARK } };
  return JSON.stringify(marked).replaceAll(MARKED, () => twice);
}

/** The text that stands in both places, encoded; undefined where there is none. */
function longTwice({ content, structuredContent }: Json): string | undefined {
  if (!isObject(structuredContent) || !Array.isArray(content) || content.length !== 1) return undefined;
  const [block]: unknown[] = content;
  const text = structuredContent.content;
  if (typeof text !== "string" || text.length < LONG || !isObject(block) || block.text !== text) return undefined;
  return JSON.stringify(text);
}

/** In bytes of UTF-8. Node counts without making them. */
export const byteLength: (text: string) => number =
  typeof Buffer === "undefined" ? (text) => new TextEncoder().encode(text).length : (text) => Buffer.byteLength(text);
