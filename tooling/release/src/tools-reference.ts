/** The reference of a server's tools, from its `tools/list`: arguments with type and default, and what a result holds. */
import { markdownTable } from "@oarlock-tooling/test-support/markdown-table";
import { isObject, type Json, type Tool } from "@oarlock/server-kit/protocol";
import type { About } from "./about.ts";
import { bytesOf, ENCODING, tokensOf } from "./tokens.ts";
import { REVISION } from "./tools-table.ts";

/** The page as Markdown. `tools` are all tools of the server, those of every toolset included; `lean` the same with `--lean`. */
export function toolsReference(about: About, tools: readonly Tool[], lean: readonly Tool[] = []): string {
  const sections = tools.map((tool) => {
    const rows = argumentRows(tool.inputSchema);
    const args = rows.length === 0 ? "No arguments." : markdownTable(["argument", "type", "default", "meaning"], rows);
    const cost = costOf(
      tool,
      lean.find(({ name }) => name === tool.name),
    );
    return `## \`${tool.name}\`\n\n${tool.description ?? ""}\n\n*${hintsOf(tool)}. ${cost}.*\n\n${args}\n${resultOf(tool)}`;
  });
  return `# Tools of ${about.name}

Written by \`pnpm release:describe\` from the list of tools of the built server, with all toolsets. The [README](README.md#tools) has an overview.
Arguments without a default and without *optional* are required. Bytes and tokens of a tool are those of its entry in \`tools/list\` of ${REVISION},
counted by \`gpt-tokenizer\` in the encoding \`${ENCODING}\`; older revisions and the vocabulary of another model give other numbers.

${sections.join("\n")}`;
}

function hintsOf({ title, annotations }: Tool): string {
  if (annotations?.readOnlyHint === true) return `${title ?? ""}: only reads`;
  const kinds = [
    annotations?.destructiveHint === true ? "may destroy" : "adds",
    ...(annotations?.idempotentHint === true ? ["idempotent"] : []),
  ];
  return `${title ?? ""}: changes (${kinds.join(", ")})`;
}

function costOf(tool: Tool, leanly: Tool | undefined): string {
  const cost = `${bytesOf(tool)} bytes, ${tokensOf(tool)} tokens`;
  return leanly === undefined ? cost : `${cost}, with \`--lean\` ${tokensOf(leanly)}`;
}

/** A row for each argument; those inside objects and lists stand below, as `edits[].oldText`. */
function argumentRows(schema: Json, path = ""): string[][] {
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  return propertiesOf(schema).flatMap(([name, property]) => {
    const preset =
      property["default"] === undefined ? (required.includes(name) ? "" : "*optional*") : code(JSON.stringify(property["default"]));
    const inside = property["type"] === "array" && isObject(property["items"]) ? property["items"] : property;
    const within = `${path}${name}${inside === property ? "" : "[]"}.`;
    return [[code(path + name), typeOf(property), preset, textOf(property["description"])], ...argumentRows(inside, within)];
  });
}

function typeOf(schema: Json): string {
  const { type, items, enum: values, minimum, maximum } = schema;
  if (Array.isArray(values)) return values.map((value) => code(String(value))).join(" ");
  if (type === "array") return isObject(items) && items["type"] !== undefined ? `list of ${typeOf(items)}` : "list";
  const bound = (word: string, value: unknown): string => (typeof value === "number" ? `${word} ${value}` : "");
  const bounds = [bound("from", minimum), bound("to", maximum)];
  return [textOf(type), ...bounds].filter((part) => part !== "").join(" ");
}

function resultOf({ outputSchema }: Tool): string {
  const fields = outputSchema === undefined ? [] : propertiesOf(outputSchema).map(([name]) => code(name));
  return fields.length === 0 ? "" : `\nResult: ${fields.join(", ")}.\n`;
}

const propertiesOf = ({ properties }: Json): [string, Json][] =>
  isObject(properties)
    ? Object.entries(properties).flatMap(([name, value]) => (isObject(value) ? [[name, value] as [string, Json]] : []))
    : [];

const textOf = (value: unknown): string => (typeof value === "string" ? value.replaceAll("\n", " ").replaceAll("<", "&lt;") : "");
const code = (text: string): string => `\`${text}\``;
