// Replies: indented JSON, as the reference server has it, and the structured result; whatever was cut is said behind it.
import { text } from "@oarlock/server-kit";
import type { Block } from "@oarlock/server-kit/protocol";

export const pretty = (value: unknown): string => JSON.stringify(value, null, 2);

/** Content and structured result; `notes` are for the model, each a sentence. */
export function reply<T>(said: unknown, structured: T, notes: readonly string[] = []): { content: Block[]; structured: T } {
  const content = [text(typeof said === "string" ? said : pretty(said))];
  if (notes.length > 0) content.push(text(notes.join("\n")));
  return { content, structured };
}
