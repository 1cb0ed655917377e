// Numbers that JavaScript would round are refused as arguments, and all others arrive as they were sent.
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { defineServer, tool } from "../../src/index.ts";
import { isObject, type Json } from "../../src/protocol.ts";
import { STATEFUL } from "../support/sample.ts";
import { talk } from "../support/talk.ts";

const run = vi.fn<(input: Json) => string>((input) => JSON.stringify(input));
const echo = tool({ name: "echo", input: z.looseObject({}), run });
const server = () => defineServer({ name: "s", version: "1", tools: [echo] });

/** The arguments are sent as they are written. */
async function call(args: string, revision?: string): Promise<Json> {
  await using client = await talk(server(), revision === undefined ? {} : { revision });
  client.send(`{"jsonrpc":"2.0","id":"n","method":"tools/call","params":{"name":"echo","arguments":${args}}}`);
  return client.answer("n");
}

const textOf = ({ result }: Json): string => (isObject(result) ? String((result.content as Json[])[0]?.text) : "");

test.each([
  ["9007199254740993", '{"n":9007199254740993}'],
  ["-9007199254740993", '{"deep":{"list":[1,-9007199254740993]}}'],
  ["12345678901234567890", '{ "n" : 12345678901234567890 }'],
  ["1152921504606846976", '{"n":1152921504606846976}'],
  ["1e400", '{"n":1e400}'],
  ["-1E+999", '{"text":"\\"","n":-1E+999}'],
  ["9".repeat(40), `{"n":${"9".repeat(400)}}`],
])("refuses %s, which would be rounded", async (number, args) => {
  run.mockClear();
  expect(textOf(await call(args))).toBe(
    `Invalid arguments for echo: ${number} cannot be read exactly, as it exceeds 2^53. Send it as a string if the tool takes one.`,
  );
  expect(run).not.toHaveBeenCalled();
});

test.each([
  '{"n":9007199254740991}',
  '{"n":9007199254740992}',
  '{"n":100000000000000000000}',
  '{"n":1e+21}',
  '{"n":0.12345678901234568}',
  '{"n":"9007199254740993"}',
  '{"n":"a \\"9007199254740993, 1e999"}',
  '{"9007199254740993":1}',
])("keeps %s", async (args) => expect(textOf(await call(args))).toBe(args));

test("refuses such a number in each revision, and serves the next call", async () => {
  for (const revision of STATEFUL) {
    const refused = await call('{"n":9007199254740993}', revision);
    expect(JSON.stringify(refused)).toContain("9007199254740993 cannot be read exactly");
    expect(textOf(await call('{"n":1}', revision))).toBe('{"n":1}');
  }
});

test("reads a long text with many quotes quickly", async () => {
  const text = '\\"e999'.repeat(100_000);
  expect(textOf(await call(`{"n":"${text}"}`))).toBe(`{"n":"${text}"}`);
});
