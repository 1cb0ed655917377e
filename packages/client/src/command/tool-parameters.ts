// The parameters of a tool, shown where a call does not fit them.
import { isObject, type Json } from "@oarlock/server-kit/protocol";
import type { Client } from "../client.ts";

/** Levels of objects and lists that are shown. */
const MAX_DEPTH = 3;

/** Undefined where the arguments fit, as far as their names and plain types tell, or where the server does not list the tool. */
export async function parametersHint(client: Client, name: string, args: Json): Promise<string | undefined> {
  try {
    for await (const tool of client.tools()) {
      if (tool.name !== name) continue;
      if (!isObject(tool.inputSchema) || fits(args, tool.inputSchema)) return undefined;
      return `${name} takes ${typeText(tool.inputSchema, MAX_DEPTH)}. A name with ? may be left out.`;
    }
  } catch {
    // The failure of the call is the one to report.
  }
  return undefined;
}

const propertiesOf = (schema: Json): Json => (isObject(schema["properties"]) ? schema["properties"] : {});
const requiredOf = (schema: Json): readonly unknown[] => (Array.isArray(schema["required"]) ? schema["required"] : []);

function fits(args: Json, schema: Json): boolean {
  const properties = propertiesOf(schema);
  return (
    requiredOf(schema).every((name) => typeof name === "string" && name in args) &&
    Object.entries(args).every(([name, value]) => name in properties && hasType(value, properties[name]))
  );
}

/** Lists and objects with a schema of their own are compared one level down too. */
function hasType(value: unknown, schema: unknown): boolean {
  if (!isObject(schema)) return true;
  const { type, items } = schema;
  if (type === "integer" || type === "number") return typeof value === "number";
  if (type === "string" || type === "boolean") return typeof value === type;
  if (type === "array") return Array.isArray(value) && value.every((item) => hasType(item, items));
  if (type !== "object") return true;
  return isObject(value) && (schema["properties"] === undefined || fits(value, schema));
}

/** `{path: string, head?: number}` */
function typeText(schema: unknown, depth: number): string {
  if (!isObject(schema)) return "any";
  const { type, items } = schema;
  if (Array.isArray(schema["enum"])) return schema["enum"].map((one) => JSON.stringify(one)).join(" | ");
  if (type === "array") return depth === 0 ? "array" : `[${typeText(items, depth - 1)}]`;
  if (type === "object" && isObject(schema["properties"]) && depth > 0) {
    const required = requiredOf(schema);
    const members = Object.entries(propertiesOf(schema)).map(
      ([name, member]) => `${name}${required.includes(name) ? "" : "?"}: ${typeText(member, depth - 1)}`,
    );
    return `{${members.join(", ")}}`;
  }
  return typeof type === "string" ? type : Array.isArray(type) ? type.join(" | ") : "any";
}
