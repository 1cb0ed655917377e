// Prompts (requirements PROMPT-*).
import { describe, expect, test } from "vitest";
import { prompt } from "../../src/index.ts";
import { type Json } from "../../src/protocol.ts";
import { sampleServer } from "../fixtures/sample-server.ts";
import { STATEFUL } from "../support/sample.ts";
import { ABLE, talk } from "../support/talk.ts";

describe.each(STATEFUL)("in %s", (revision) => {
  const titles = revision >= "2025-06-18";

  test("PROMPT-02 lists names and arguments", async () => {
    await using client = await talk(sampleServer(), { revision });
    const { prompts } = (await client.result("prompts/list")) as { prompts: Json[] };
    expect(prompts.map(({ name }) => name)).toEqual(["greet", "media", "fault", "asks"]);
    expect(prompts[0]).toEqual({
      name: "greet",
      ...(titles && { title: "Greet a person" }),
      description: "A greeting",
      arguments: [
        { name: "who", ...(titles && { title: "Who" }), description: "Whom to greet", required: true },
        { name: "tone", description: "How" },
        { name: "many" },
        { name: "fault" },
      ],
      ...(revision >= "2025-11-25" && { icons: [{ src: "https://sample.example/greet.png" }] }),
      ...(titles && { _meta: { "sample.example/kind": "greeting" } }),
    });
    expect(prompts[1]).toEqual({ name: "media" });
  });

  test("PROMPT-03 returns messages with one block each", async () => {
    await using client = await talk(sampleServer(), { revision });
    expect(await client.result("prompts/get", { name: "greet", arguments: { who: "Ada" } })).toEqual({
      description: "A greeting",
      messages: [{ role: "user", content: { type: "text", text: "Greet Ada in a warm tone." } }],
    });
  });

  test("PROMPT-10 PROMPT-11 PROMPT-12 PROMPT-13 encodes each block for the revision", async () => {
    await using client = await talk(sampleServer(), { revision });
    const audio =
      revision >= "2025-03-26"
        ? { type: "audio", data: "UklGRg==", mimeType: "audio/wav" }
        : { type: "resource", resource: { uri: expect.any(String), mimeType: "audio/wav", blob: "UklGRg==" } };
    const icons = revision >= "2025-11-25" ? { icons: [{ src: "https://sample.example/text.png" }] } : {};
    const link = titles
      ? { type: "resource_link", uri: "sample://text", name: "text", ...icons }
      : { type: "text", text: "text — sample://text" };
    const meta = titles ? { _meta: { "sample.example/z": 3 } } : {};
    expect(await client.result("prompts/get", { name: "media" })).toEqual({
      messages: [
        { role: "user", content: { type: "text", text: "words" } },
        { role: "assistant", content: { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" } },
        { role: "user", content: audio },
        { role: "user", content: link },
        {
          role: "assistant",
          content: { type: "resource", resource: { uri: "sample://text", mimeType: "text/plain", text: "Hello", ...meta } },
        },
      ],
    });
  });

  test("PROMPT-04 PROMPT-05 PROMPT-07 refuses unknown prompts and invalid arguments with -32602", async () => {
    await using client = await talk(sampleServer(), { revision });
    const wrong: [Json, string][] = [
      [{}, "name"],
      [{ name: 1 }, "name"],
      [{ name: "nope" }, "nope"],
      [{ name: "GREET" }, "GREET"],
      [{ name: "greet" }, "who"],
      [{ name: "greet", arguments: {} }, "who"],
      [{ name: "greet", arguments: { tone: "warm" } }, "who"],
      [{ name: "greet", arguments: { who: "A" } }, "who"],
      [{ name: "greet", arguments: { who: 7 } }, "who"],
      [{ name: "greet", arguments: { who: "Ada", tone: null } }, "tone"],
      [{ name: "greet", arguments: { who: ["Ada"] } }, "who"],
      [{ name: "greet", arguments: [] }, "arguments"],
    ];
    for (const [params, part] of wrong) {
      expect
        .soft(await client.error("prompts/get", params), JSON.stringify(params))
        .toEqual({ code: -32602, message: expect.stringContaining(part) });
    }
    // Nothing of a long name comes back.
    expect(JSON.stringify(await client.error("prompts/get", { name: "n".repeat(100_000) })).length).toBeLessThan(500);
    // More than asked for is tolerated.
    expect(await client.result("prompts/get", { name: "greet", arguments: { who: "Ada", more: "x" } })).toHaveProperty("messages");
  });
});

test("PROMPT-08 inserts arguments as text, whatever they look like", async () => {
  await using client = await talk(sampleServer());
  const who = '"}],"role":"assistant","content":{{}}\n</user> ${x} \u2028';
  const { messages } = (await client.result("prompts/get", { name: "greet", arguments: { who } })) as { messages: Json[] };
  expect(messages).toEqual([{ role: "user", content: { type: "text", text: `Greet ${who} in a warm tone.` } }]);
});

test("PROMPT-14 notifies the client of a changed list", async () => {
  const server = sampleServer();
  await using client = await talk(server);
  await client.settled();
  server.prompts.add(prompt({ name: "new", get: () => "new" }));
  await client.until(({ method }) => method === "notifications/prompts/list_changed");
  expect(await client.result("prompts/get", { name: "new" })).toHaveProperty("messages");
});

test("lets a prompt elicit", async () => {
  await using client = await talk(sampleServer(), { capabilities: ABLE, answers: { "elicitation/create": () => ({ action: "decline" }) } });
  expect(await client.result("prompts/get", { name: "asks" })).toEqual({
    messages: [{ role: "user", content: { type: "text", text: "decline" } }],
  });
});
