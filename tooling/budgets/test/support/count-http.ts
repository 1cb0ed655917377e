/**
 * A process that serves an echo over HTTP by the kit, and the same by bare `node:http`, and counts the
 * allocations of requests between the messages "begin" and "end" of its parent.
 */
import { createHook } from "node:async_hooks";
import { createServer } from "node:http";
import { listenOn } from "@oarlock-tooling/test-support/loopback";
import { defineServer, fromJsonSchema, tool } from "@oarlock/server-kit";
import { serveHttp } from "@oarlock/server-kit/node";

const allocations: Record<string, number> = {};
const hook = createHook({ init: (_id, type) => void (allocations[type] = (allocations[type] ?? 0) + 1) });

const { AbortController: Real } = globalThis;
globalThis.AbortController = class extends Real {
  constructor() {
    super();
    allocations["AbortController"] = (allocations["AbortController"] ?? 0) + 1;
  }
};

const input = fromJsonSchema<{ message: string }>(
  { type: "object", properties: { message: { type: "string" } }, required: ["message"] },
  ({ message }) => (typeof message === "string" ? undefined : "message: expected a string"),
);
const server = defineServer({
  name: "counted",
  version: "1.0.0",
  tools: [tool({ name: "echo", input, run: ({ message }) => message })],
});
const kit = await serveHttp(server, { port: 0 });

const floor = createServer((request, response) => {
  let text = "";
  request.on("data", (chunk) => (text += String(chunk)));
  request.on("end", () => {
    const { id, params } = JSON.parse(text) as { id: number; params: { arguments: { message: string } } };
    const body = JSON.stringify({ jsonrpc: "2.0", id, result: { content: [{ type: "text", text: params.arguments.message }] } });
    response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
    response.end(body);
  });
});
floor.timeout = 60_000; // sockets have a time limit here too, which is a timer of Node's
const port = await listenOn(floor);

process.on("message", (word) => {
  if (word === "begin") {
    for (const type of Object.keys(allocations)) delete allocations[type];
    hook.enable();
    process.send?.("begun");
  } else {
    hook.disable();
    process.send?.({ allocations });
  }
});
process.on("disconnect", () => process.exit(0));
process.send?.({ kit: kit.url, floor: `http://127.0.0.1:${port}/` });
