import { linkMemory } from "@oarlock/server-kit";
import { expect, test } from "vitest";
import { createServer } from "./server.ts";

test("greets", async () => {
  const wire = linkMemory(createServer("Ahoy")); // the client's end
  const answer = new Promise<string>((resolve) => (wire.onText = resolve));
  const _meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} };
  const params = { name: "greet", arguments: { name: "Ada" }, _meta };
  wire.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }));
  expect(JSON.parse(await answer)).toMatchObject({ result: { content: [{ type: "text", text: "Ahoy, Ada!" }] } });
  await wire.close();
});
