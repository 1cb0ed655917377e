// A proxy of a REST service: each operation of its OpenAPI document becomes a tool.
// Run: OPENAPI=https://api.example.com/openapi.json node openapi-proxy.ts
import { defineServer, fromJsonSchema, tool, ToolError, type Server, type ToolDefinition } from "@oarlock/server-kit";
import { serveStdio } from "@oarlock/server-kit/node";

interface Operation {
  operationId: string;
  summary?: string;
  parameters?: { name: string; in: "path" | "query"; required?: boolean; schema: object }[];
  requestBody?: { content: { "application/json"?: { schema: object } } };
}
export interface OpenApi {
  info: { title: string; version: string };
  servers: [{ url: string }];
  paths: Record<string, Partial<Record<"get" | "post" | "put" | "delete", Operation>>>;
  components?: { schemas?: Record<string, object> };
}
type Send = (url: string, init: RequestInit) => Promise<Response>;
type Arguments = Record<string, unknown>;

const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

/** References to shared schemas become references within the schema of the tool. */
const local = (schema: object): object => JSON.parse(JSON.stringify(schema).replaceAll("#/components/schemas/", "#/$defs/")) as object; // of the same shape

function toolOf(api: OpenApi, method: string, path: string, operation: Operation, send: Send): ToolDefinition {
  const { operationId, summary, parameters = [], requestBody } = operation;
  const body = requestBody?.content["application/json"]?.schema;
  const schema = {
    type: "object",
    $defs: local(api.components?.schemas ?? {}),
    properties: {
      ...Object.fromEntries(parameters.map((one) => [one.name, local(one.schema)])),
      ...(body !== undefined && { body: local(body) }),
    },
    required: [...parameters.filter(({ required }) => required === true).map(({ name }) => name), ...(body === undefined ? [] : ["body"])],
  };
  return tool({
    name: operationId,
    ...(summary !== undefined && { description: summary }),
    // The service validates the rest, and its answer names what is wrong.
    input: fromJsonSchema<Arguments>(schema, (given) => {
      const missing = schema.required.find((name) => given[name] === undefined);
      return missing === undefined ? undefined : `${missing}: required`;
    }),
    hints: { readOnly: method === "get" },
    async run(args, { signal }) {
      const query = new URLSearchParams();
      let target = path;
      for (const { name, in: where } of parameters) {
        if (args[name] === undefined) continue;
        if (where === "path") target = target.replace(`{${name}}`, encodeURIComponent(textOf(args[name])));
        else query.set(name, textOf(args[name]));
      }
      const response = await send(`${api.servers[0].url}${target}${query.size > 0 ? `?${query.toString()}` : ""}`, {
        method: method.toUpperCase(),
        signal,
        ...(args.body !== undefined && { body: JSON.stringify(args.body), headers: { "content-type": "application/json" } }),
      });
      const text = await response.text();
      if (!response.ok) throw new ToolError(`The service answered ${response.status}: ${text.slice(0, 500)}`);
      return text;
    },
  });
}

export function openApiProxy(api: OpenApi, send: Send = fetch): Server {
  const tools = Object.entries(api.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => toolOf(api, method, path, operation, send)),
  );
  return defineServer({ name: api.info.title, version: api.info.version, tools });
}

if (process.argv[1] === import.meta.filename) {
  const document = await fetch(process.env.OPENAPI ?? "");
  await serveStdio(openApiProxy((await document.json()) as OpenApi)).ended; // the operator names the document
}
