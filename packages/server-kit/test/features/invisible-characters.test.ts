// Names from outside in messages and completions: without characters that are invisible or change the direction of text.
import { expect, test } from "vitest";
import { defineServer, fromJsonSchema, prompt, tool } from "../../src/index.ts";
import type { Json } from "../../src/protocol.ts";
import { talk } from "../support/talk.ts";

const NAME = "a\u202eb\u0007c\u2066d\u061ce";
const ESCAPED = "a\\u202eb\\u0007c\\u2066d\\u061ce";

/** Words and an emoji with joiners, which are invisible and belong to them. */
const JOINED = ["naïve 日本", "می\u200cخواهم", "👩\u200d🚀"];

const server = defineServer({
  name: "test",
  version: "1",
  tools: [tool({ name: "one", run: () => "done" })],
  prompts: [
    prompt({
      name: "two",
      args: fromJsonSchema<{ name?: string }>({ type: "object", properties: { name: { type: "string" } } }, () => undefined),
      complete: { name: () => ["plain", NAME, ...JOINED] },
      get: () => "text",
    }),
  ],
});

test.each<[string, Json]>([
  ["tools/call", { name: NAME }],
  ["prompts/get", { name: NAME }],
  ["completion/complete", { ref: { type: "ref/prompt", name: NAME }, argument: { name: "x", value: "" } }],
  ["completion/complete", { ref: { type: "ref/prompt", name: "two" }, argument: { name: NAME, value: "" } }],
  ["completion/complete", { ref: { type: "ref/resource", uri: `x:///${NAME}` }, argument: { name: "x", value: "" } }],
])("escapes a name in the error of %s: %j", async (method, params) => {
  await using client = await talk(server);
  const { error } = (await client.answer(client.begin(method, params))) as { error: { message: string } };
  expect(error.message).toContain(ESCAPED);
  expect(error.message).not.toMatch(/\p{C}/u);
});

test("leaves out completions that would display as another text", async () => {
  await using client = await talk(server);
  const params = { ref: { type: "ref/prompt", name: "two" }, argument: { name: "name", value: "" } };
  expect(await client.answer(client.begin("completion/complete", params))).toMatchObject({
    result: { completion: { values: ["plain", ...JOINED], total: 4 } },
  });
});
