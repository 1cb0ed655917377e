// The published schemas of the protocol, by revision, as validators of single definitions. Two ways: as published, and
// exact, where a member that the definition does not name is a fault too.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

type Json = Record<string, unknown>;

/** Where the schemas are: one folder for each revision, `schema.json` in it. */
const SCHEMA_DIR: string | undefined = process.env["MCP_SCHEMA_DIR"];

/** Options of tests that need the published schemas. A run prints why they are skipped. */
export const withSchemas =
  SCHEMA_DIR === undefined ? { skip: true, meta: { skipReason: "MCP_SCHEMA_DIR names no folder with the published schemas" } } : {};

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);

/** Members that contain a JSON Schema of the author, with any keyword. */
const FOREIGN = new Set(["inputSchema", "outputSchema"]);

/** Closes every object that lists its members and does not say that it is open. What stands in `_meta` is open everywhere. */
function exact(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(exact);
  if (!isObject(value)) return value;
  // Of what several schemas describe together, none names all members.
  const copy = Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, FOREIGN.has(key) || key === "allOf" ? item : exact(item)]),
  );
  return isObject(value["properties"]) && value["additionalProperties"] === undefined && typeof value["type"] === "string"
    ? { ...copy, additionalProperties: false }
    : copy;
}

export interface Published {
  /** Members of a definition; undefined when the revision has no such definition. */
  members(name: string): readonly string[] | undefined;
  /** What is wrong with a value, in words; undefined when nothing is. */
  faults(name: string, value: unknown): string | undefined;
}

function readSchema(revision: string, directory: string): Published {
  const schema = JSON.parse(readFileSync(join(directory, revision, "schema.json"), "utf8")) as Json;
  const place = "$defs" in schema ? "$defs" : "definitions";
  const definitions = schema[place] as Record<string, Json>;
  const Validator = String(schema["$schema"]).includes("2020-12") ? Ajv2020 : Ajv;
  const closed = {
    ...schema,
    [place]: Object.fromEntries(Object.entries(definitions).map(([name, one]) => [name, name.endsWith("MetaObject") ? one : exact(one)])),
  };
  const validators = [schema, closed].map((one) => {
    const ajv = new Validator({ strict: false, allErrors: false });
    addFormats.default(ajv);
    ajv.addSchema(one, "mcp");
    return ajv;
  });
  const compiled = new Map<string, readonly (readonly [string, ValidateFunction])[]>();
  const compile = (name: string): readonly (readonly [string, ValidateFunction])[] =>
    validators.map((ajv, at) => [at === 0 ? "as published" : "exactly", ajv.compile({ $ref: `mcp#/${place}/${name}` })] as const);
  return {
    members: (name) =>
      definitions[name] === undefined ? undefined : Object.keys((definitions[name]["properties"] as Json | undefined) ?? {}),
    faults(name, value) {
      if (definitions[name] === undefined) return `${revision} has no ${name}`;
      const both = compiled.get(name) ?? compile(name);
      compiled.set(name, both);
      for (const [how, validate] of both) {
        if (validate(value)) continue;
        const messages = (validate.errors ?? []).map(
          ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
        );
        return `${name} of ${revision}, ${how}:\n  ${messages.slice(0, 8).join("\n  ")}\n  in ${JSON.stringify(value).slice(0, 1000)}`;
      }
      return undefined;
    },
  };
}

const known = new Map<string, Published>();

/** The schema of a revision, read and compiled once; only where `SCHEMA_DIR` is set. */
export function published(revision: string): Published {
  const schema = known.get(revision) ?? readSchema(revision, SCHEMA_DIR ?? "");
  known.set(revision, schema);
  return schema;
}
