// Messages of a view, checked against the schema that the extension publishes.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";

const SCHEMA = fileURLToPath(import.meta.resolve("@modelcontextprotocol/ext-apps/schema.json"));

/** Requests and notifications of a view, by method. */
const DEFINITIONS: Readonly<Record<string, string>> = {
  "ui/initialize": "McpUiInitializeRequest",
  "ui/notifications/initialized": "McpUiInitializedNotification",
  "ui/notifications/size-changed": "McpUiSizeChangedNotification",
  "ui/open-link": "McpUiOpenLinkRequest",
  "ui/download-file": "McpUiDownloadFileRequest",
  "ui/message": "McpUiMessageRequest",
  "ui/update-model-context": "McpUiUpdateModelContextRequest",
  "ui/request-display-mode": "McpUiRequestDisplayModeRequest",
};

/** Methods of MCP itself that a view may send. */
const OF_MCP = new Set(["tools/call", "resources/read", "ping"]);

interface Message {
  jsonrpc?: unknown;
  id?: unknown;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: unknown;
}

let validators: ReadonlyMap<string, ValidateFunction> | undefined;

function load(): ReadonlyMap<string, ValidateFunction> {
  const schema = JSON.parse(readFileSync(SCHEMA, "utf8")) as { $id: string }; // of the installed package
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(schema);
  return new Map(
    Object.entries(DEFINITIONS).map(([method, name]) => {
      const validate = ajv.getSchema(`${schema.$id}#/$defs/${name}`);
      if (validate === undefined) throw new Error(`${name} is not in the schema`);
      return [method, validate];
    }),
  );
}

/** One line for each message of the view that the schema refuses. */
export function invalidMessages(messages: readonly unknown[]): string[] {
  validators ??= load();
  return (messages as readonly Message[]).flatMap((message) => {
    const { jsonrpc, id, method, params, result, error } = message;
    if (jsonrpc !== "2.0") return [`no JSON-RPC message: ${JSON.stringify(message)}`];
    if (method === undefined)
      return id !== undefined && (result === undefined) !== (error === undefined) ? [] : ["a response without a result"];
    if (OF_MCP.has(method)) return [];
    const validate = validators?.get(method);
    if (validate === undefined) return [`unknown method ${method}`];
    return validate({ method, ...(params !== undefined && { params }) }) ? [] : [`${method}: ${JSON.stringify(validate.errors)}`];
  });
}
