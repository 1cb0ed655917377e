/** The examples of the kit's README at work. */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { writeFileSync } from "node:fs";
import { connect } from "@oarlock/client";
import { defineServer, linkMemory, type Server, type ToolDefinition } from "@oarlock/server-kit";
import { startRaw, tempFolder } from "@oarlock/testing";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { app as fetchApp } from "../src/in-a-fetch-app.ts";
import { app as nodeApp } from "../src/in-a-node-app.ts";
import { countdown } from "../src/long-work.ts";
import { divide } from "../src/tool.ts";
import { folders } from "../src/roots.ts";
import { forget } from "../src/question.ts";
import { listen } from "../src/http.ts";
import { listen as listenWithOAuth } from "../src/oauth.ts";
import { motto } from "../src/resource.ts";
import { note } from "../src/template.ts";
import { review } from "../src/prompt.ts";
import { createServer } from "../src/server.ts";
import "../src/testing.ts"; // its tests run with these

const ERAS = ["2025-11-25", "2026-07-28"] as const;

const serving = (...tools: ToolDefinition[]): Server => defineServer({ name: "examples", version: "1.0.0", tools });
const textOf = (result: { content?: unknown }): unknown => (result.content as { text?: string }[])[0]?.text; // text blocks

describe.each(ERAS)("%s", (revision) => {
  test("tool: a structured result, its text, and a mistake in words", async () => {
    await using client = await connect(linkMemory(serving(divide)), { revision });
    expect(await client.call("divide", { a: 6, b: 4 })).toMatchObject({
      structuredContent: { quotient: 1.5 },
      content: [{ text: '{"quotient":1.5}' }],
    });
    expect(await client.call("divide", { a: 6, b: 0 })).toMatchObject({
      isError: true,
      content: [{ text: "b must not be 0; give another one" }],
    });
  });

  test("resource and template: read, complete, and told of changes", async () => {
    await using files = tempFolder({ "today.md": "Sun", "tomorrow.md": "Rain" });
    const server = defineServer({ name: "examples", version: "1.0.0", resources: [motto, note(files.path)] });
    await using client = await connect(linkMemory(server), { revision });
    expect(await client.read("house://motto")).toMatchObject({ contents: [{ text: "Look, ask, then act." }] });
    expect(await client.read("note:///today.md")).toMatchObject({ contents: [{ text: "Sun" }] });
    await expect(client.read("note:///none.md")).rejects.toThrow("not found");
    const completed = await client.complete({ type: "ref/resource", uri: "note:///{name}" }, { name: "name", value: "to" });
    expect(completed.values).toEqual(expect.arrayContaining(["today.md", "tomorrow.md"]));
    const news = client.listen({ uris: ["note:///today.md"] });
    await news.ready;
    writeFileSync(files.at("today.md"), "Clouds");
    for await (const told of news) {
      expect(told).toMatchObject({ kind: "updated", uri: "note:///today.md" });
      break;
    }
  });

  test("prompt", async () => {
    await using client = await connect(linkMemory(defineServer({ name: "examples", version: "1.0.0", prompts: [review] })), { revision });
    expect(await client.prompt("review", { text: "Hi", focus: "style" })).toMatchObject({
      messages: [{ content: { text: "Review this text with an eye on its style:\n\nHi" } }],
    });
  });

  test("long work: progress, a log entry, and an end when it is cancelled", async () => {
    await using client = await connect(linkMemory(serving(countdown)), { revision });
    const seen: number[] = [];
    expect(textOf(await client.call("countdown", { from: 8 }, { onProgress: ({ progress }) => void seen.push(progress) }))).toBe(
      "Lift-off",
    );
    expect(seen.length).toBeGreaterThan(0);
    const stop = new AbortController();
    const running = client.call("countdown", { from: 100 }, { signal: stop.signal, onProgress: () => stop.abort(new Error("enough")) });
    await expect(running).rejects.toThrow("enough");
  });

  test("question: kept without a yes, deleted with one", async () => {
    const notes = new Set(["a"]);
    let sure = false;
    const elicit = () => ({ action: "accept" as const, content: { sure } });
    await using client = await connect(linkMemory(serving(forget(notes))), { revision, elicit });
    expect(textOf(await client.call("forget", { name: "a" }))).toBe("Kept");
    sure = true;
    expect(textOf(await client.call("forget", { name: "a" }))).toBe("Deleted");
    expect([...notes]).toEqual([]);
    await using mute = await connect(linkMemory(serving(forget(new Set(["a"])))), { revision });
    expect(textOf(await mute.call("forget", { name: "a" }))).toMatch(/cannot ask/);
  });

  test("roots", async () => {
    await using client = await connect(linkMemory(serving(folders)), { revision, roots: [{ uri: "file:///home/ada" }] });
    expect(textOf(await client.call("folders", {}))).toBe("file:///home/ada");
  });

  test("HTTP with a token", async () => {
    const served = await listen(createServer("Hello"), "a-long-secret");
    try {
      await using client = await connect({ url: served.url, token: "a-long-secret" }, { revision });
      expect(textOf(await client.call("greet", { name: "Ada" }))).toBe("Hello, Ada!");
      expect((await fetch(served.url, { method: "POST" })).status).toBe(401);
    } finally {
      await served.stop();
    }
  });

  test("inside an app on node:http", async () => {
    const { http, mcp } = nodeApp(createServer("Hello"));
    http.listen(0, "127.0.0.1");
    await once(http, "listening");
    const at = `http://127.0.0.1:${(http.address() as AddressInfo).port}`; // it listens on TCP
    try {
      await using client = await connect({ url: `${at}/mcp` }, { revision });
      expect(textOf(await client.call("greet", { name: "Ada" }))).toBe("Hello, Ada!");
      expect(await (await fetch(at)).text()).toBe("Hello");
    } finally {
      await mcp.close(0);
      http.closeAllConnections();
      http.close();
    }
  });
});

test("inside an app of Request and Response", async () => {
  const app = fetchApp(createServer("Hello"));
  expect(await (await app.fetch(new Request("http://localhost/"))).text()).toBe("Hello");
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
  });
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const answer = await app.fetch(new Request("http://localhost/mcp", { method: "POST", headers, body }));
  expect(await answer.json()).toMatchObject({ result: { protocolVersion: "2025-06-18", serverInfo: { name: "greeter" } } });
});

test("OAuth: whoever has no token is told where to get one", async () => {
  const served = await listenWithOAuth(createServer("Hello"), "https://auth.example.com");
  try {
    const { status, headers } = await fetch(served.url, { method: "POST" });
    expect([status, headers.get("www-authenticate")]).toEqual([401, expect.stringMatching(/^Bearer .*resource_metadata=/)]);
  } finally {
    await served.stop();
  }
});

test("command: a process with switches", async () => {
  const file = fileURLToPath(new URL("../src/command.ts", import.meta.url));
  await using client = await connect({ command: process.execPath, args: ["--conditions=oarlock-source", file, "--greeting", "Salve"] });
  expect(textOf(await client.call("greet", { name: "Ada" }))).toBe("Salve, Ada!");
  await using raw = startRaw({ command: process.execPath, args: ["--conditions=oarlock-source", file, "--greting", "x"] });
  expect((await raw.exit()).code).toBe(2);
});
