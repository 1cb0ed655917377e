// A test of a tool without a process or a socket.
import { defineServer, linkMemory, tool } from "@oarlock/server-kit";
import { expect, test } from "vitest";
import * as z from "zod";

const greet = tool({ name: "greet", input: z.object({ name: z.string() }), run: ({ name }) => `Hello, ${name}!` });

test("greets by name", async () => {
  const wire = linkMemory(defineServer({ name: "hello", version: "1.0.0", tools: [greet] })); // the client's end
  const response = new Promise<string>((resolve) => (wire.onText = resolve));
  const _meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} };
  const params = { name: "greet", arguments: { name: "Ada" }, _meta };
  wire.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }));
  expect(JSON.parse(await response)).toMatchObject({ result: { content: [{ type: "text", text: "Hello, Ada!" }] } });
  await wire.close();
});
