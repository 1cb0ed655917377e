// The arguments of a tool or prompt: one JSON object. A mistake is answered with what to type.
import { isObject, type Json } from "@oarlock/server-kit/protocol";
import { UsageError } from "./usage-error.ts";

const EXAMPLE = `'{"path":"notes.txt"}'`;
const NEXT_STEP = "The action list shows the names that a tool or prompt takes";

/**
 * Throws a UsageError.
 * @param words What stands behind the name: nothing, or one word.
 * @param of Prompts take texts only.
 */
export function parseJsonArguments(words: readonly string[], of: "tool" | "prompt"): Json {
  const [first = "{}", next] = words;
  const { value, problem } = parse(first);
  if (next === undefined && isObject(value)) return value;
  if (isObject(value)) throw new UsageError(`Unexpected argument ${JSON.stringify(next)} behind the arguments`);
  throw new UsageError(adviceFor(words, problem, of));
}

/** `problem`: why the text is not JSON. */
function parse(text: string): { value?: unknown; problem?: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : "invalid" };
  }
}

function adviceFor(words: readonly string[], problem: string | undefined, of: "tool" | "prompt"): string {
  const [first = ""] = words;
  const pairs = pairsOf(words, of);
  if (pairs !== undefined) return `Arguments are not NAME=VALUE but one JSON object: write ${quotedForShell(JSON.stringify(pairs))}`;
  if (!first.startsWith("{")) return `Arguments are not a JSON object: one such as ${EXAMPLE} is expected. ${NEXT_STEP}`;
  // Shells remove the quotes of {"a":"b"} and split at blanks.
  if (!words.some((word) => word.includes('"')))
    return `Arguments are not JSON, as they have no double quotes: write the names and texts in them, and the whole in single quotes, such as ${EXAMPLE}. In cmd.exe write "{\\"path\\":\\"notes.txt\\"}"`;
  if (words.length > 1) return `Arguments are ${words.length} words: put the whole JSON object in single quotes, such as ${EXAMPLE}`;
  return `Arguments are not JSON (${problem ?? "invalid"}): an object such as ${EXAMPLE} is expected`;
}

/** What was meant by `name=value` words; undefined where a word is something else. */
function pairsOf(words: readonly string[], of: "tool" | "prompt"): Json | undefined {
  const pairs: [string, unknown][] = [];
  for (const word of words) {
    const [, name, text] = /^(?:--)?([A-Za-z_][\w.-]*)=(.*)$/s.exec(word) ?? [];
    if (name === undefined || text === undefined) return undefined;
    const { value, problem } = parse(text);
    pairs.push([name, of === "prompt" || problem !== undefined ? text : value]);
  }
  return Object.fromEntries(pairs);
}

const quotedForShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
