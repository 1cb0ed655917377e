// Results of tools: indented JSON as the text, as in the reference server, and the structured result.
import { text } from "@oarlock/server-kit";
import type { Block } from "@oarlock/server-kit/protocol";

export const pretty = (value: unknown): string => JSON.stringify(value, null, 2);

/** `notes`: sentences for the model, in a second block, such as how to continue a truncated list. */
export function reply<T>(shown: unknown, structured: T, notes: readonly string[] = []): { content: Block[]; structured: T } {
  const content = [text(typeof shown === "string" ? shown : pretty(shown))];
  if (notes.length > 0) content.push(text(notes.join("\n")));
  return { content, structured };
}
