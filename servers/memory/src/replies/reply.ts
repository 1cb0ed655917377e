// Results of tools: the JSON of the reference server as the text, without indentation, with notes for the model, and the structured result.
import { escapeControlsInJson } from "@oarlock/domain-kit";
import { text } from "@oarlock/server-kit";
import type { Block } from "@oarlock/server-kit/protocol";

/** Sentences for the model besides the content. */
export interface Notes {
  /** What is missing from a truncated reply, and how to continue. Goes before the content, because hosts cut long texts at the end. */
  readonly continuation?: readonly string[];
  /** What else the model should know. Goes after the content. */
  readonly remarks?: readonly string[];
}

/** On one line: indentation would be a third of the tokens of a reply. */
export const compactJson = (value: unknown): string => escapeControlsInJson(JSON.stringify(value));

export function reply<T>(visible: unknown, structured: T, notes: Notes = {}): { content: Block[]; structured: T } {
  return { content: withNotes(text(typeof visible === "string" ? visible : compactJson(visible)), notes), structured };
}

/** Puts the notes into blocks of their own: the reference server's reply is pure JSON. */
export const withNotes = (content: Block, { continuation = [], remarks = [] }: Notes): Block[] => [
  ...(continuation.length > 0 ? [text(continuation.join("\n"))] : []),
  content,
  ...(remarks.length > 0 ? [text(remarks.join("\n"))] : []),
];
