// Completion of arguments (requirements COMP-*, security case KIT-09).
import { describe, expect, test } from "vitest";
import { type Json } from "../../src/protocol.ts";
import { sampleServer } from "../fixtures/sample-server.ts";
import { STATEFUL } from "../support/sample.ts";
import { talk, type Talk } from "../support/talk.ts";

const PROMPT = { type: "ref/prompt", name: "greet" };
const complete = (client: Talk, ref: Json, name: string, value: string, more: Json = {}): Promise<Json> =>
  client.result("completion/complete", { ref, argument: { name, value }, ...more });
const values = (...found: string[]): Json => ({ completion: { values: found, total: found.length, hasMore: false } });

describe.each(STATEFUL)("in %s", (revision) => {
  test("COMP-03 COMP-04 COMP-06 completes by prompt, by template and by a URI of the template", async () => {
    await using client = await talk(sampleServer(), { revision });
    expect(await complete(client, PROMPT, "who", "")).toEqual(values("Ada", "Grace"));
    expect(await complete(client, PROMPT, "who", "gr")).toEqual(values("Grace"));
    expect(await complete(client, PROMPT, "who", "zz")).toEqual(values());
    expect(await complete(client, { type: "ref/resource", uri: "sample:///items/{id}" }, "id", "b")).toEqual(values("beta"));
    expect(await complete(client, { type: "ref/resource", uri: "sample:///items/alpha" }, "id", "")).toEqual(
      values("alpha", "beta", "gamma"),
    );
    // No completer: no values, no error.
    expect(await complete(client, { type: "ref/resource", uri: "sample:///tree/{+path}" }, "path", "")).toEqual(values());
    expect(await complete(client, { type: "ref/resource", uri: "sample://text" }, "x", "")).toEqual(values());
  });

  test("COMP-09 uses resolved arguments if the revision has them", async () => {
    await using client = await talk(sampleServer(), { revision });
    const all = values("formal", "warm", "brisk");
    expect(await complete(client, PROMPT, "tone", "", { context: { arguments: { who: "Grace" } } })).toEqual(
      revision >= "2025-06-18" ? values("brisk") : all,
    );
    for (const context of [null, 7, [], {}, { arguments: null }, { arguments: [1] }, { arguments: { who: 7 } }]) {
      expect.soft(await complete(client, PROMPT, "tone", "", { context })).toEqual(all);
    }
  });

  test("COMP-02 returns at most 100 values and their total", async () => {
    await using client = await talk(sampleServer(), { revision });
    const { completion } = (await complete(client, PROMPT, "many", "n")) as { completion: { values: string[] } };
    expect(completion).toEqual({ values: Array.from({ length: 100 }, (_, at) => `n${at}`), total: 500, hasMore: true });
  });
});

test("COMP-05 COMP-07 refuses what cannot be completed with -32602", async () => {
  await using client = await talk(sampleServer());
  const argument = { name: "who", value: "" };
  const wrong: Json[] = [
    {},
    { ref: PROMPT },
    { argument },
    { ref: "greet", argument },
    { ref: [], argument },
    { ref: { type: "ref/tool", name: "echo" }, argument },
    { ref: { type: "ref/prompt" }, argument },
    { ref: { type: "ref/prompt", name: "nope" }, argument },
    { ref: { type: "ref/prompt", name: 1 }, argument },
    { ref: { type: "ref/resource", uri: "nope://x" }, argument },
    { ref: { type: "ref/resource", uri: 1 }, argument },
    { ref: { type: "ref/resource", uri: "sample:///items/%" }, argument: { name: "id", value: "" } },
    { ref: PROMPT, argument: { name: "nope", value: "" } },
    { ref: PROMPT, argument: { name: "who", value: 1 } },
    { ref: PROMPT, argument: { name: "who" } },
    { ref: PROMPT, argument: { value: "" } },
    { ref: PROMPT, argument: null },
  ];
  for (const params of wrong) {
    expect
      .soft(await client.error("completion/complete", params), JSON.stringify(params))
      .toEqual({ code: -32602, message: expect.any(String) });
  }
});

test("KIT-09 refuses a prefix of 1 MB, reads pattern characters as text, and serves a thousand requests", async () => {
  await using client = await talk(sampleServer());
  expect(await client.error("completion/complete", { ref: PROMPT, argument: { name: "who", value: "x".repeat(1e6) } })).toMatchObject({
    code: -32602,
  });
  for (const value of [".*", "[", "(?:", "\\", "*", "../", "%"])
    expect.soft(await complete(client, PROMPT, "who", value)).toEqual(values());
  const all = await Promise.all(Array.from({ length: 1000 }, () => complete(client, PROMPT, "who", "A")));
  expect(new Set(all.map((one) => JSON.stringify(one)))).toEqual(new Set([JSON.stringify(values("Ada"))]));
});
