// Errors about an unknown tool, prompt or resource, completed with the nearest one and what the server has.
import { isObject, McpError, nearestName } from "@oarlock/server-kit/protocol";
import type { Client } from "../client.ts";
import { isNotFound } from "../is-not-found.ts";

/** Names in an error about an unknown one. */
const MAX_NAMES = 30;
/** Items of a list that are compared. */
const MAX_ITEMS = 1000;

export async function suggestTool(client: Client, name: string, error: unknown): Promise<unknown> {
  return error instanceof McpError ? completed(error, error.message, name, await namesOf(client.tools(), (tool) => tool.name)) : error;
}

export async function suggestPrompt(client: Client, name: string, error: unknown): Promise<unknown> {
  return error instanceof McpError
    ? completed(error, error.message, name, await namesOf(client.prompts(), (prompt) => prompt.name))
    : error;
}

export async function suggestResource(client: Client, uri: string, error: unknown): Promise<unknown> {
  if (!(error instanceof McpError) || !isNotFound(error)) return error;
  const uris = await namesOf(client.resources(), (resource) => resource.uri);
  const templates = await namesOf(client.templates(), (template) => template.uriTemplate);
  const problem = `${sentence(error.message)} ${JSON.stringify(uri)} is ${URL.canParse(uri) ? "unknown" : "not a URI"}`;
  // The URI stands in the sentence already.
  const data = isObject(error.data) && error.data["uri"] === uri ? undefined : error.data;
  // A missing file does not mean its folder, which is near by its letters.
  const alike = uris.filter((one) => one.split("/").length === uri.split("/").length);
  return completed(new McpError(error.code, error.message, data), problem, uri, [...uris, ...templates], alike);
}

/** The names of a list as far as they are compared; none where the server does not list. */
async function namesOf<T>(list: AsyncIterable<T>, nameOf: (item: T) => string): Promise<string[]> {
  const names: string[] = [];
  try {
    for await (const item of list) if (names.push(nameOf(item)) >= MAX_ITEMS) break;
  } catch {
    // The first error is the one to report.
  }
  return names;
}

/**
 * The error itself where the name is known, or nothing is.
 * @param alike The names that may have been meant.
 */
function completed(error: McpError, problem: string, name: string, names: readonly string[], alike = names): McpError {
  if (names.length === 0 || names.includes(name)) return error;
  const isAdvised = /Did you mean|switched off/.test(problem); // by one of our servers
  const nearest = isAdvised ? undefined : nearestName(name, alike);
  const question = nearest === undefined ? "" : ` Did you mean ${nearest}?`;
  const more = names.length > MAX_NAMES ? `, and ${names.length - MAX_NAMES} more` : "";
  return new McpError(
    error.code,
    `${sentence(problem)}${question} The server has ${names.slice(0, MAX_NAMES).join(", ")}${more}.`,
    error.data,
  );
}

const sentence = (text: string): string => text.replace(/(?<![.?])$/, ".");
