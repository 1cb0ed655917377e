// User messages: what the user wrote in a session, from the transcript that a host keeps. Each host has a form of its own; all of them have objects
// with the role or type `user` and their content as text or as blocks of text.
import { closeSync, constants, fstatSync, readSync } from "node:fs";
import { openMemoryFile } from "../../graph/memory-files.ts";

/** Of the end of the transcript. */
const MAX_BYTES = 8_000_000;
const MAX_DEPTH = 6;

/** The oldest first. Empty for a file without such messages. Throws where it cannot be read. */
export function userMessages(path: string): string[] {
  const text = endOf(path);
  const whole = parse(text);
  const values = whole === undefined ? text.split("\n").map(parse) : [whole];
  return values.flatMap((value) => messagesIn(value, 0));
}

function endOf(path: string): string {
  const file = openMemoryFile(path, constants.O_RDONLY);
  try {
    const { size } = fstatSync(file);
    const bytes = Buffer.alloc(Math.min(size, MAX_BYTES));
    const read = readSync(file, bytes, 0, bytes.length, size - bytes.length);
    return bytes.toString("utf8", 0, read);
  } finally {
    closeSync(file);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // a line that was cut, or is being written
  }
}

function messagesIn(value: unknown, depth: number): string[] {
  if (depth > MAX_DEPTH || typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item) => messagesIn(item, depth + 1));
  const { role, type, content, message, isMeta } = value as Record<string, unknown>; // looked into below
  if (isMeta === true) return []; // what Claude Code adds itself
  if (role === "user" || type === "user") {
    const inner = typeof message === "object" && message !== null && "content" in message ? message.content : undefined;
    const texts = textsOf(content ?? inner);
    if (texts.length > 0) return texts;
  }
  const isOther = role === "assistant" || type === "assistant";
  return isOther ? [] : Object.values(value).flatMap((member) => messagesIn(member, depth + 1));
}

/** Results of tools are blocks without text of their own. */
const textsOf = (content: unknown): string[] => {
  if (typeof content === "string") return [content];
  if (!Array.isArray(content)) return [];
  return content.flatMap((block: unknown) => {
    if (typeof block !== "object" || block === null) return [];
    const { type, text } = block as Record<string, unknown>; // looked into here
    return typeof text === "string" && (type === undefined || type === "text" || type === "input_text") ? [text] : [];
  });
};
