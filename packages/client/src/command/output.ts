// What the command prints for people. With --json the results are printed as they are.
import type { CallToolResult, GetPromptResult, Json, ReadResourceResult } from "@oarlock/server-kit/protocol";
import type { Client } from "../client.ts";
import { watchableOf } from "./watchable-resources.ts";

/** Characters of a description in a list. */
const MAX_DESCRIPTION = 100;

/** Control characters and directional marks of servers must not steer a terminal; line breaks and tabs stay. */
export const printable = (text: string): string =>
  // oxlint-disable-next-line no-control-regex
  text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, (mark) => {
    const code = mark.codePointAt(0) ?? 0;
    return `\\u${code.toString(16).padStart(4, "0")}`;
  });

export interface ServerListing {
  readonly server: Json;
  readonly revision: string;
  readonly instructions?: string;
  readonly tools: readonly Json[];
  readonly resources: readonly Json[];
  /** The URIs of resources that can be watched. */
  readonly watchable: readonly string[];
  readonly resourceTemplates: readonly Json[];
  readonly prompts: readonly Json[];
}

/** Everything that the server lists. */
export async function readListing(client: Client): Promise<ServerListing> {
  const { capabilities, revision, serverInfo, instructions } = client;
  const all = async (isOffered: boolean, list: () => AsyncIterable<unknown>): Promise<Json[]> =>
    isOffered ? ((await Array.fromAsync(list())) as Json[]) : []; // items of lists are objects
  const resources = await all(capabilities.resources !== undefined, () => client.resources());
  return {
    server: { ...serverInfo },
    revision,
    ...(instructions !== undefined && { instructions }),
    tools: await all(capabilities.tools !== undefined, () => client.tools()),
    resources,
    watchable: await watchableOf(client, resources),
    resourceTemplates: await all(capabilities.resources !== undefined, () => client.templates()),
    prompts: await all(capabilities.prompts !== undefined, () => client.prompts()),
  };
}

export function listingText({ server, revision, tools, resources, watchable, resourceTemplates, prompts }: ServerListing): string {
  const sections: string[] = [`${text(server["name"])} ${text(server["version"])}, revision ${revision}`];
  const add = (title: string, items: readonly Json[], nameOf: (item: Json) => string): void => {
    if (items.length === 0) return;
    const lines = items.map((item) => `  ${nameOf(item)}${describe(item)}`);
    sections.push(`${title} (${items.length}):\n${lines.join("\n")}`);
  };
  add("Tools", tools, toolText);
  add("Resources", resources, ({ uri }) => `${text(uri)}${watchable.includes(text(uri)) ? " (can be watched)" : ""}`);
  add("Resource templates", resourceTemplates, (item) => text(item["uriTemplate"]));
  add("Prompts", prompts, (item) => text(item["name"]));
  return sections.join("\n\n");
}

/** `name(required, optional?)` */
function toolText({ name, inputSchema }: Json): string {
  const { properties = {}, required = [] } = (inputSchema ?? {}) as { properties?: Json; required?: string[] }; // as the schema of a tool
  const parameters = Object.keys(properties).map((key) => (required.includes(key) ? key : `${key}?`));
  return `${text(name)}(${parameters.join(", ")})`;
}

const describe = ({ description, title }: Json): string => {
  const [line = ""] = text(description ?? title ?? "").split("\n");
  const short = line.length > MAX_DESCRIPTION ? `${line.slice(0, MAX_DESCRIPTION)}…` : line;
  return short === "" ? "" : `  ${short}`;
};

const text = (value: unknown): string => (typeof value === "string" ? value : "");

export const resultText = ({ content, structuredContent }: CallToolResult): string => {
  const blocks = content.map(blockText);
  return blocks.length > 0 || structuredContent === undefined ? blocks.join("\n") : JSON.stringify(structuredContent, undefined, 2);
};

function blockText(block: CallToolResult["content"][number]): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "image":
    case "audio":
      return `[${block.type} ${block.mimeType}, ${block.data.length} characters of base64]`;
    case "resource_link":
      return `[resource ${block.uri}]`;
    case "resource":
      return contentsText(block.resource);
  }
}

export const resourceText = ({ contents }: ReadResourceResult): string =>
  contents.map((one) => contentsText(one as unknown as Json)).join("\n"); // contents of a resource

const contentsText = ({ text: content, uri, mimeType, blob }: Json): string =>
  typeof content === "string" ? content : `[${text(mimeType) || "data"} of ${text(uri)}, ${text(blob).length} characters of base64]`;

export const promptText = ({ messages }: GetPromptResult): string =>
  messages.map(({ role, content }) => `${role}: ${blockText(content)}`).join("\n\n");
