// Log entries to the client (requirements LOG-*).
import { describe, expect, test } from "vitest";
import { defineServer, tool } from "../../src/index.ts";
import { LOG_LEVELS } from "../../src/protocol.ts";
import { sampleServer } from "../fixtures/sample-server.ts";
import { STATEFUL } from "../support/sample.ts";
import { talk } from "../support/talk.ts";

const LOG = "notifications/message";
const SAID = ["debug", "info", "notice", "warning", "error"] as const;

describe.each(STATEFUL)("in %s", (revision) => {
  test("LOG-01 LOG-02 LOG-03 LOG-06 LOG-07 applies the level from the response on; each entry has level, logger and data", async () => {
    await using client = await talk(sampleServer(), { revision });
    expect(client.greeting["capabilities"]).toHaveProperty("logging", {});
    for (const [severity, level] of LOG_LEVELS.entries()) {
      expect(await client.result("logging/setLevel", { level })).toEqual({});
      client.received.length = 0;
      await client.replyText("log", { data: { some: ["data"] } });
      expect(client.heard(LOG)).toEqual(
        SAID.slice(severity).map((replyText) => ({ level: replyText, logger: "sample", data: { some: ["data"] } })),
      );
    }
  });

  test("LOG-05 refuses an unknown level without effect", async () => {
    await using client = await talk(sampleServer(), { revision });
    await client.result("logging/setLevel", { level: "error" });
    for (const level of ["loud", "", "DEBUG", "__proto__", 0, null, undefined, ["debug"], {}]) {
      expect.soft(await client.error("logging/setLevel", { level })).toEqual({ code: -32602, message: expect.any(String) });
    }
    await client.replyText("log", { data: "x" });
    expect(client.heard(LOG)).toHaveLength(1);
  });
});

test("LOG-04 sends info and above before a level is set", async () => {
  await using client = await talk(sampleServer());
  await client.replyText("log", { data: "x" });
  expect(client.heard(LOG).map(({ level }) => level)).toEqual(SAID.slice(1));
});

test("LOG-07 sends any data as JSON", async () => {
  await using client = await talk(sampleServer());
  await client.result("logging/setLevel", { level: "error" });
  for (const data of ["text", 0, false, null, [], {}, { deep: [{ a: null }] }]) {
    client.received.length = 0;
    await client.replyText("log", { data });
    expect(client.heard(LOG)).toEqual([{ level: "error", logger: "sample", data }]);
  }
});

test("cuts an entry of more than 64 KiB, and no shorter one", async () => {
  await using client = await talk(sampleServer());
  await client.result("logging/setLevel", { level: "error" });
  const sent = async (data: unknown): Promise<unknown> => {
    client.received.length = 0;
    await client.replyText("log", { data });
    return client.heard(LOG)[0]?.["data"];
  };
  const longest = "x".repeat(64 * 1024 - 2); // with its quotes
  expect(await sent(longest)).toBe(longest);
  expect(await sent([`${longest}xx`])).toBe(`["${"x".repeat(64 * 1024 - 2)}…`);
});

test("LOG-08 writes an entry that the operator has already to the client only", async () => {
  const logged: unknown[] = [];
  const server = defineServer({ name: "s", version: "1", tools: [] });
  server.tools.add(
    tool({
      name: "warn",
      description: "Warns.",
      run: (_input, ctx) => {
        ctx.log.warning("known", { isReported: true });
        ctx.log.warning("new");
        return "done";
      },
    }),
  );
  await using client = await talk(server, { log: (_level, data) => logged.push(data) });
  await client.replyText("warn", {});
  expect(logged).toEqual(["new"]);
  expect(client.heard(LOG).map((entry) => (entry as { data: unknown }).data)).toEqual(["known", "new"]);
});

test("LOG-08 writes an unexpected error to the operator's log, never to the client", async () => {
  const logged: unknown[] = [];
  await using client = await talk(sampleServer(), { log: (_level, data) => logged.push(data) });
  await client.result("logging/setLevel", { level: "debug" });
  await client.failure("throws", { what: "error" });
  await client.error("resources/read", { uri: "sample://fault" });
  expect(JSON.stringify(logged)).toContain("secret detail");
  expect(JSON.stringify(client.received)).not.toContain("secret");
});

test("LOG-09 throttles a flood of entries without harm to the call", async () => {
  await using client = await talk(sampleServer({ limits: { logsPerSecond: 50 } }));
  await client.replyText("log", { data: "x", times: 10_000 });
  const first = client.heard(LOG).length;
  expect(first).toBeGreaterThanOrEqual(50);
  // A slow machine may take a while for these entries; the rate counts, not the number.
  expect(first).toBeLessThan(1000);
});
