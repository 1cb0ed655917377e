// Questions of servers: asked on the terminal, and declined where there is none.
import { createInterface } from "node:readline/promises";
import { isObject, type ElicitResult, type Json } from "@oarlock/server-kit/protocol";
import type { FormRequest, Handlers, UrlRequest } from "../client-requests/client-request-handlers.ts";
import { printable } from "./output.ts";

/** @param say Writes a line to stderr. */
export function questionHandlers(isTerminal: boolean, say: (line: string) => void): Pick<Handlers, "elicit" | "elicitUrl"> {
  const decline = (message: string): { action: "decline" } => {
    say(`The server asks: ${printable(message)} Declined, as there is no terminal to ask on.`);
    return { action: "decline" };
  };
  return {
    elicit: async (request, signal) => (isTerminal ? await askForm(request, signal) : decline(request.message)),
    elicitUrl: async (request, signal) => (isTerminal ? await askUrl(request, signal) : decline(request.message)),
  };
}

async function withTerminal<T>(action: (question: (text: string) => Promise<string>) => Promise<T>, signal: AbortSignal): Promise<T> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await action((text) => terminal.question(printable(text), { signal }));
  } finally {
    terminal.close();
  }
}

const isYes = (answer: string): boolean => /^y(es)?$/i.test(answer.trim());

async function askForm({ message, requestedSchema, defaults }: FormRequest, signal: AbortSignal): Promise<ElicitResult> {
  const fields = Object.entries(isObject(requestedSchema["properties"]) ? requestedSchema["properties"] : {});
  return await withTerminal(async (question) => {
    if (!isYes(await question(`${message}\nAnswer this question of the server? [y/N] `))) return { action: "decline" };
    const content: Json = {};
    for (const [name, schema] of fields) {
      const value = valueOf(await question(`${titleOf(name, schema)}${hintOf(schema, defaults[name])}: `), schema, defaults[name]);
      if (value !== undefined) content[name] = value;
    }
    return { action: "accept", content }; // the client checks the values against the schema
  }, signal);
}

async function askUrl({ message, url }: UrlRequest, signal: AbortSignal): Promise<{ action: "accept" | "decline" }> {
  return await withTerminal(async (question) => {
    const agreed = isYes(await question(`${message}\nThe server asks you to open ${url} yourself. Will you? [y/N] `));
    return { action: agreed ? "accept" : "decline" };
  }, signal);
}

const titleOf = (name: string, schema: unknown): string =>
  isObject(schema) && typeof schema["title"] === "string" ? schema["title"] : name;

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
