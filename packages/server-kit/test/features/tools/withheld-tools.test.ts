// Texts that name tools which the operator has switched off.
import { expect, test } from "vitest";
import { EncodedJson } from "../../../src/features/content.ts";
import { prompt } from "../../../src/features/prompts.ts";
import { tool } from "../../../src/features/tools/tools.ts";
import { ToolError } from "../../../src/protocol/errors.ts";
import { defineServer } from "../../../src/runtime/define.ts";
import { talk } from "../../support/talk.ts";

const REASON = "It is switched off by --read-only. The operator can start the server without this switch.";

function limitedServer() {
  const advice = "Use write_note, or write.";
  const server = defineServer({
    name: "notes",
    version: "1.0.0",
    instructions: `Read first. ${advice}`,
    tools: [
      tool({ name: "fail_note", description: `Fails. ${advice}`, run: () => Promise.reject(new ToolError(advice)) }),
      tool({
        name: "return_failure",
        run: () => ({ content: [{ type: "text", text: advice }], structured: new EncodedJson("{}"), isError: true }),
      }),
      tool({ name: "read_note", run: () => advice }),
      {
        ...tool({ name: "warn_note", run: () => "" }),
        call: async () => ({ content: [{ type: "text", text: "Done" }], structuredContent: { warnings: [advice] } }),
      },
      tool({ name: "write_note", run: () => "" }),
      tool({ name: "write", run: () => "" }),
    ],
    prompts: [prompt({ name: "advise", get: () => advice }), prompt({ name: "greet", get: () => "Hello" })],
  });
  server.tools.keep(
    ({ name }) => !name.startsWith("write"),
    () => REASON,
  );
  return server;
}

test("names the switch of a withheld tool in errors, failed results, warnings and prompts, not in content", async () => {
  await using client = await talk(limitedServer(), { revision: "2025-11-25" });
  const call = async (name: string) => JSON.stringify((await client.call(name, {})).content);
  const remedy = `write_note is not offered here. ${REASON}`;
  for (const name of ["fail_note", "return_failure", "warn_note"]) expect(await call(name)).toContain(remedy);
  expect(await call("read_note")).not.toContain("not offered");
  const messages = async (name: string) => JSON.stringify(await client.result("prompts/get", { name }));
  expect(await messages("advise")).toContain(remedy);
  expect(await messages("greet")).not.toContain("not offered");
});

test("lists in descriptions and instructions the withheld names that they mention", async () => {
  await using client = await talk(limitedServer(), { revision: "2025-11-25" });
  const instructions = "Read first. Use write_note, or write. Not offered here: write_note.";
  expect(client.greeting).toMatchObject({ instructions });
  const _meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} };
  await using stateless = await talk(limitedServer(), { revision: "2026-07-28" });
  expect(await stateless.result("server/discover", { _meta })).toMatchObject({ instructions });
  const { tools } = (await client.result("tools/list")) as { tools: { name: string; description?: string }[] };
  expect(tools.map(({ name, description }) => [name, description])).toEqual([
    ["fail_note", "Fails. Use write_note, or write. Not offered here: write_note."],
    ["return_failure", undefined],
    ["read_note", undefined],
    ["warn_note", undefined],
  ]);
});
