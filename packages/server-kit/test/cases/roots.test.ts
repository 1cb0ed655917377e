// The client's folders (requirements ROOTS-*).
import { describe, expect, test } from "vitest";
import { defineServer, tool } from "../../src/index.ts";
import { type Json } from "../../src/protocol.ts";
import { sampleServer } from "../fixtures/sample-server.ts";
import { STATEFUL } from "../support/sample.ts";
import { talk } from "../support/talk.ts";

const ROOTS: Json = { roots: { listChanged: true } };
const root = (name: string): Json => ({ uri: `file:///${name}`, name });

describe.each(STATEFUL)("in %s", (revision) => {
  test("ROOTS-10 ROOTS-14 requests roots once, keeps them, and requests them again after a change", async () => {
    const offered = [root("a")];
    await using client = await talk(sampleServer(), {
      revision,
      capabilities: ROOTS,
      answers: { "roots/list": () => ({ roots: offered }) },
    });
    expect(client.heard("roots/list")).toHaveLength(0);
    for (let time = 0; time < 3; time++) expect(JSON.parse(await client.replyText("roots"))).toEqual([root("a")]);
    expect(client.received.filter(({ method }) => method === "roots/list")).toEqual([
      { jsonrpc: "2.0", id: expect.anything(), method: "roots/list" },
    ]);
    offered.push(root("b"));
    expect(JSON.parse(await client.replyText("roots"))).toEqual([root("a")]);
    client.note("notifications/roots/list_changed");
    expect(JSON.parse(await client.replyText("roots"))).toEqual([root("a"), root("b")]);
    expect(client.heard("roots/list")).toHaveLength(2);
  });

  test("ROOTS-09 LIFE-15 sends no request to a client that declared none", async () => {
    await using client = await talk(sampleServer({ followsRoots: true }), { revision });
    expect(await client.failure("roots")).toContain("roots");
    expect(await client.error("resources/read", { uri: "sample://asks" })).toHaveProperty("code");
    client.note("notifications/roots/list_changed");
    await client.settled();
    expect(client.heard("roots/list")).toEqual([]);
  });

  test("requests roots as soon as the client is ready, and notifies of its changed list", async () => {
    await using client = await talk(sampleServer({ followsRoots: true }), {
      revision,
      capabilities: ROOTS,
      answers: { "roots/list": () => ({ roots: [root("a")] }) },
    });
    await client.until(({ method }) => method === "notifications/resources/list_changed");
    expect(JSON.parse(await client.replyText("roots"))).toEqual([root("a")]);
    expect(client.heard("roots/list")).toHaveLength(1);
  });
});

test("ROOTS-14 requests roots once for several concurrent calls", async () => {
  await using client = await talk(sampleServer(), { capabilities: ROOTS, answers: { "roots/list": () => ({ roots: [root("a")] }) } });
  await Promise.all(Array.from({ length: 5 }, () => client.replyText("roots")));
  expect(client.heard("roots/list")).toHaveLength(1);
});

test("ROOTS-11 leaves out invalid roots; the handler gets a refusal and may request them again", async () => {
  let answer: Json | Error = {
    roots: [
      root("a"),
      { uri: "https://x.example/" },
      { uri: 7 },
      {},
      null,
      "file:///b",
      { uri: "FILE:///c" },
      { uri: "file://d", more: 1 },
    ],
  };
  await using client = await talk(sampleServer(), { capabilities: ROOTS, answers: { "roots/list": () => answer } });
  expect(JSON.parse(await client.replyText("roots"))).toEqual([root("a"), { uri: "FILE:///c" }, { uri: "file://d", more: 1 }]);
  for (const wrong of [new Error("not now"), { roots: "file:///a" }, { roots: null }, {}]) {
    answer = wrong;
    client.note("notifications/roots/list_changed");
    expect.soft(await client.failure("roots")).toMatch(/roots|refused/);
  }
  answer = { roots: [] };
  expect(JSON.parse(await client.replyText("roots"))).toEqual([]);
});

test("ROOTS-11 keeps the old folders until the new ones arrive", async () => {
  const seen: unknown[] = [];
  const look = tool({
    name: "look",
    run(_input, { client }) {
      seen.push(client.roots?.map(({ uri }) => uri));
      return "";
    },
  });
  let open: ((answer: Json) => void) | undefined;
  let first = true;
  const server = defineServer({ name: "x", version: "1", tools: [look], resources: [], followsRoots: true });
  await using client = await talk(server, {
    capabilities: ROOTS,
    answers: {
      "roots/list": (_params, id) => {
        open = (result) => client.send({ jsonrpc: "2.0", id, result });
        if (!first) return undefined;
        first = false;
        return { roots: [root("a")] };
      },
    },
  });
  await client.until(({ method }) => method === "notifications/resources/list_changed");
  await client.replyText("look");
  client.note("notifications/roots/list_changed");
  await client.settled();
  await client.replyText("look");
  open?.({ roots: [root("b")] });
  await client.settled();
  await client.replyText("look");
  expect(seen).toEqual([["file:///a"], ["file:///a"], ["file:///b"]]);
});

test("survives a roots result with invalid members", async () => {
  await using client = await talk(sampleServer(), { capabilities: ROOTS });
  for (const message of ['{"toString":1}', "7", "null", '["x"]', `"${"x".repeat(100_000)}"`]) {
    const id = client.begin("tools/call", { name: "roots" });
    const from = client.received.length;
    const asked = await client.until(({ method }) => method === "roots/list", from);
    client.send(`{"jsonrpc":"2.0","id":${JSON.stringify(asked["id"])},"error":{"code":"x","message":${message}}}`);
    const answer = await client.answer(id);
    expect(answer).toHaveProperty("result.isError", true);
    expect(JSON.stringify(answer).length).toBeLessThan(1000);
  }
});
