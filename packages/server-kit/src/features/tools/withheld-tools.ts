// Withheld tools: tools of a server that its operator has switched off. Replies say so wherever they name one of them.
import { isExposed, ToolError } from "../../protocol/errors.ts";
import type { CallToolResult, GetPromptResult, Tool } from "../../protocol/types.ts";
import { isObject } from "../../wire/json-rpc.ts";
import { text as textBlock } from "../content.ts";

/** The names of withheld tools, each with the reason and the remedy, in whole sentences. */
export type WithheldTools = ReadonlyMap<string, string>;

/** A text that names more of them lists the first ones. */
const MAX_NAMED = 5;

/** A name of one plain word is not looked for: it may be any word of a sentence. */
const isDistinct = (name: string): boolean => /[_.-]|[a-z][A-Z]/.test(name);

function namesIn(text: string, withheld: WithheldTools): string[] {
  if (withheld.size === 0) return [];
  const words = new Set(text.split(/[^A-Za-z0-9_.-]+/).map((word) => word.replace(/[.-]+$/, "")));
  return [...withheld.keys()].filter((name) => isDistinct(name) && words.has(name)).slice(0, MAX_NAMED);
}

/** One line for each withheld tool that an error names, with the remedy. */
function remediesFor(text: string, withheld: WithheldTools): string {
  return namesIn(text, withheld)
    .map((name) => `\n${name} is not offered here. ${withheld.get(name)}`)
    .join("");
}

/** A description or an instruction, with the names in it that are not offered. */
export function withWithheldNames(text: string, withheld: WithheldTools): string {
  const names = namesIn(text, withheld);
  return names.length === 0 ? text : `${text} Not offered here: ${names.join(", ")}.`;
}

/** The list entry of a tool whose description says which names in it are not offered. */
export function listingWithNames(tool: Tool, withheld: WithheldTools): Tool {
  const { description } = tool;
  return description === undefined || withheld.size === 0 ? tool : { ...tool, description: withWithheldNames(description, withheld) };
}

/** A prompt with the remedies for the withheld tools that its texts name, as a last message. */
export function promptWithRemedies(result: GetPromptResult, withheld: WithheldTools): GetPromptResult {
  const texts = result.messages.map(({ content }) => (content.type === "text" ? content.text : ""));
  const remedies = remediesFor(texts.join("\n"), withheld);
  return remedies === ""
    ? result
    : { ...result, messages: [...result.messages, { role: "user", content: textBlock(remedies.trimStart()) }] };
}

/** A result with the remedies for the withheld tools that its error names, or its `warnings`: other text may be content of the user. */
export function withRemedies(result: CallToolResult, withheld: WithheldTools): CallToolResult {
  const texts = result.isError === true ? result.content.map((block) => (block.type === "text" ? block.text : "")) : warningsOf(result);
  if (texts.length === 0) return result;
  const remedies = remediesFor(texts.filter((text) => typeof text === "string").join("\n"), withheld);
  return remedies === "" ? result : { ...result, content: [...result.content, textBlock(remedies.trimStart())] };
}

function warningsOf({ structuredContent }: CallToolResult): readonly unknown[] {
  const warnings = isObject(structuredContent) ? structuredContent["warnings"] : undefined;
  return Array.isArray(warnings) ? warnings : [];
}

/** The error of a call, with the remedies for the withheld tools that it names. */
export function errorWithRemedies(error: unknown, withheld: WithheldTools): unknown {
  if (!isExposed(error)) return error;
  const remedies = remediesFor(error.message, withheld);
  return remedies === "" ? error : new ToolError(error.message + remedies);
}
