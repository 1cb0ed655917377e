// Questions of servers, asked on the terminal. Without one the client declares no elicitation: a decline would be a decision of the user.
import { createInterface } from "node:readline/promises";
import { isObject, type ElicitResult, type Json } from "@oarlock/server-kit/protocol";
import type { FormRequest, Handlers, UrlRequest } from "../client-requests/client-request-handlers.ts";
import { printable } from "./output.ts";
import type { CommandProcess } from "./terminal.ts";

/** For a client with a terminal. */
export const questionHandlers = (on: CommandProcess): Pick<Handlers, "elicit" | "elicitUrl"> => ({
  elicit: (request, signal) => askForm(request, { on, signal }),
  elicitUrl: (request, signal) => askUrl(request, { on, signal }),
});

interface Asking {
  readonly on: CommandProcess;
  readonly signal: AbortSignal;
}

/** What to do where a server wanted to ask and could not; undefined for any other failure. */
export const hintWithoutTerminal = (failure: string): string | undefined =>
  /elicit/i.test(failure)
    ? "Nobody was asked: this client asks a server's questions in a terminal only, and there is none. Run the same command in a terminal to answer, or use the switch or argument that the server names."
    : undefined;

async function withTerminal<T>(
  action: (question: (text: string) => Promise<string>) => Promise<T>,
  { on: { stdin, stderr }, signal }: Asking,
): Promise<T> {
  const terminal = createInterface({ input: stdin, output: stderr });
  try {
    return await action((text) => terminal.question(printable(text), { signal }));
  } finally {
    terminal.close();
  }
}

const isYes = (answer: string): boolean => /^y(es)?$/i.test(answer.trim());

async function askForm({ message, requestedSchema, defaults }: FormRequest, asking: Asking): Promise<ElicitResult> {
  const fields = Object.entries(isObject(requestedSchema["properties"]) ? requestedSchema["properties"] : {});
  const [first] = fields;
  if (first === undefined || (fields.length === 1 && isObject(first[1]) && first[1]["type"] === "boolean"))
    return await askOnce(message, first, asking);
  return await withTerminal(async (question) => {
    const follow = fields.length === 1 ? "1 question follows" : `${fields.length} questions follow`;
    if (!isYes(await question(`${message}\nAnswer the server? ${follow}. [y/N] `))) return { action: "decline" };
    const content: Json = {};
    for (const [name, schema] of fields) {
      const value = valueOf(await question(`${labelOf(name, schema, message)}${hintOf(schema, defaults[name])}: `), schema, defaults[name]);
      if (value !== undefined) content[name] = value;
    }
    return { action: "accept", content }; // the client checks the values against the schema
  }, asking);
}

/** A form without a field, or with one that is yes or no, is one question. A no declines, as the user has refused what the server wants. */
async function askOnce(message: string, field: [name: string, schema: unknown] | undefined, asking: Asking): Promise<ElicitResult> {
  const description = field === undefined ? "" : descriptionOf(field[1], message);
  return await withTerminal(async (question) => {
    if (!isYes(await question(`${message}${description === "" ? "" : `\n${description}`} [y/N] `))) return { action: "decline" };
    return { action: "accept", content: field === undefined ? {} : { [field[0]]: true } };
  }, asking);
}

async function askUrl({ message, url }: UrlRequest, asking: Asking): Promise<{ action: "accept" | "decline" }> {
  return await withTerminal(async (question) => {
    const agreed = isYes(await question(`${message}\nThe server asks you to open ${url} yourself. Will you? [y/N] `));
    return { action: agreed ? "accept" : "decline" };
  }, asking);
}

const titleOf = (name: string, schema: unknown): string =>
  isObject(schema) && typeof schema["title"] === "string" ? schema["title"] : name;

/** "" if there is none, or where it repeats the message. */
function descriptionOf(schema: unknown, message: string): string {
  const description = isObject(schema) && typeof schema["description"] === "string" ? schema["description"].trim() : "";
  return description === message.trim() ? "" : description;
}

function labelOf(name: string, schema: unknown, message: string): string {
  const description = descriptionOf(schema, message);
  return `${titleOf(name, schema)}${description === "" ? "" : ` (${description})`}`;
}

function hintOf(schema: unknown, preset: unknown): string {
  if (!isObject(schema)) return "";
  const hint = Array.isArray(schema["enum"]) ? schema["enum"].join(", ") : schema["type"] === "boolean" ? "y/n" : "";
  return [hint, preset === undefined ? "" : `default ${JSON.stringify(preset)}`]
    .filter((part) => part !== "")
    .map((part) => ` [${part}]`)
    .join("");
}

/** Undefined where nothing was typed and there is no default. */
function valueOf(typed: string, schema: unknown, preset: unknown): unknown {
  const type = isObject(schema) ? schema["type"] : undefined;
  if (typed === "") return preset;
  if (type === "boolean") return /^(y|yes|true)$/i.test(typed.trim());
  if (type === "number" || type === "integer") return Number(typed);
  return type === "array" ? typed.split(",").map((item) => item.trim()) : typed;
}
