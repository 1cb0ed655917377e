/**
 * Runs every example server as a process and talks to it with a client: those on stdio in the newest revision, and in the long tier in the older era as
 * well; those on HTTP in both eras.
 */
import { writeFileSync } from "node:fs";
import { connect, type Client, type ConnectOptions } from "@oarlock/client";
import { isLong } from "@oarlock-tooling/test-support/long-tier";
import { nodeCommand, startRaw, tempFolder } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import fetchExample from "../../../packages/server-kit/examples/fetch-handler.ts";
import { exampleFile } from "../src/examples.ts";

const ERAS = ["2025-11-25", "2026-07-28"] as const;
const SECRET = "a-long-secret";

const textOf = (result: { content?: unknown }): unknown => (result.content as { text?: string }[])[0]?.text; // text blocks

/** Starts an example on stdio. */
const start = (example: string, options: ConnectOptions, ...args: string[]): Promise<Client> =>
  connect(nodeCommand(exampleFile(example), args), options);

/** Starts an example that listens on a free port. */
async function listen(example: string, env: Record<string, string> = {}): Promise<{ origin: string } & AsyncDisposable> {
  const server = startRaw(nodeCommand(exampleFile(example), [], { PORT: "0", ...env }));
  const port = (): string | undefined => /listening on .*?(?:port: |127\.0\.0\.1:)(\d+)/s.exec(server.stderr)?.[1];
  await expect.poll(port, { message: "the example listens" }).toBeDefined();
  return { origin: `http://127.0.0.1:${port()}`, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

describe.each(isLong ? ERAS : ERAS.slice(1))("%s", (revision) => {
  test("hello-tool greets", async () => {
    await using client = await start("hello-tool", { revision });
    expect(textOf(await client.call("greet", { name: "Ada" }))).toBe("Hello, Ada!");
  });

  test("extension offers its method to the clients that declare it", async () => {
    const lookup = "com.example/lookup";
    await using client = await start("extension", { revision, capabilities: { extensions: { [lookup]: {} } } });
    const isKnown = revision === "2026-07-28";
    expect(client.capabilities.extensions).toEqual(isKnown ? { [lookup]: { languages: ["en"] } } : undefined);
    expect(textOf(await client.call("help"))).toBe(isKnown ? "Call lookup/define." : "This client has no dictionary.");
    const definition = client.request("lookup/define", { word: "oarlock" });
    if (isKnown) expect(await definition).toMatchObject({ definition: "a holder for an oar" });
    else await expect(definition).rejects.toThrow("Method not found");
  });

  test("structured-output returns structured content, the same as text, and an error for the model", async () => {
    await using client = await start("structured-output", { revision });
    expect(await client.call("divide", { a: 6, b: 4 })).toMatchObject({
      structuredContent: { quotient: 1.5 },
      content: [{ text: '{"quotient":1.5}' }],
    });
    expect(await client.call("divide", { a: 6, b: 0 })).toMatchObject({
      isError: true,
      content: [{ text: "Cannot divide by zero: b must not be 0. Pass another b." }],
    });
  });

  test("static-resource is read", async () => {
    await using client = await start("static-resource", { revision });
    expect(await client.read("house://motto")).toMatchObject({ contents: [{ text: "Look, ask, then act." }] });
  });

  test("resource-template reads fixed and templated resources, and completes the variable", async () => {
    await using client = await start("resource-template", { revision });
    expect(await client.read("note:///")).toMatchObject({ contents: [{ text: "ideas\nshopping" }] });
    expect(await client.read("note:///ideas")).toMatchObject({ contents: [{ uri: "note:///ideas", text: "A boat with two oars." }] });
    await expect(client.read("note:///none")).rejects.toThrow("not found");
    const completed = await client.complete({ type: "ref/resource", uri: "note:///{name}" }, { name: "name", value: "s" });
    expect(completed.values).toEqual(["shopping"]);
  });

  test("watched-resource reports a change of its file", async () => {
    await using files = tempFolder({ "todo.md": "Tea" });
    await using client = await start("watched-resource", { revision }, files.at("todo.md"));
    expect(await client.read("todo://list")).toMatchObject({ contents: [{ text: "Tea", mimeType: "text/markdown" }] });
    const notifications = client.listen({ uris: ["todo://list"] });
    await notifications.ready;
    writeFileSync(files.at("todo.md"), "Coffee");
    for await (const notification of notifications) {
      expect(notification).toMatchObject({ kind: "updated", uri: "todo://list" });
      break;
    }
  });

  test("resource-subscription reads notes, completes names and reports changes", async () => {
    await using files = tempFolder({ "today.md": "Sun", "tomorrow.md": "Rain" });
    await using client = await start("resource-subscription", { revision }, files.path);
    expect(await client.read("note:///today.md")).toMatchObject({ contents: [{ text: "Sun" }] });
    await expect(client.read("note:///none.md")).rejects.toThrow("not found");
    const completed = await client.complete({ type: "ref/resource", uri: "note:///{name}" }, { name: "name", value: "to" });
    expect(completed.values).toEqual(expect.arrayContaining(["today.md", "tomorrow.md"]));
    const notifications = client.listen({ uris: ["note:///today.md"] });
    await notifications.ready;
    writeFileSync(files.at("today.md"), "Clouds");
    for await (const notification of notifications) {
      expect(notification).toMatchObject({ kind: "updated", uri: "note:///today.md" });
      break;
    }
  });

  test("prompt-completion fills in the prompt and completes its argument", async () => {
    await using client = await start("prompt-completion", { revision });
    expect(await client.prompt("review", { text: "Hi", focus: "style" })).toMatchObject({
      messages: [{ content: { text: "Review the style of this text:\n\nHi" } }],
    });
    expect(await client.complete({ type: "ref/prompt", name: "review" }, { name: "focus", value: "s" })).toMatchObject({
      values: ["style"],
    });
  });

  test("progress-cancellation reports progress, and stops when the client cancels", async () => {
    await using client = await start("progress-cancellation", { revision });
    const steps: number[] = [];
    const onProgress = ({ progress }: { progress: number }) => void steps.push(progress);
    expect(textOf(await client.call("countdown", { from: 8 }, { onProgress }))).toBe("Lift-off");
    expect(steps.length).toBeGreaterThan(0);
    const stop = new AbortController();
    const running = client.call("countdown", { from: 100 }, { signal: stop.signal, onProgress: () => stop.abort(new Error("enough")) });
    await expect(running).rejects.toThrow("enough");
  });

  test("elicitation keeps the note unless the user accepts", async () => {
    let confirm = false;
    const elicit = () => ({ action: "accept" as const, content: { confirm } });
    await using client = await start("elicitation", { revision, elicit });
    expect(textOf(await client.call("delete_note", { name: "ideas" }))).toBe("Declined: the note was kept.");
    confirm = true;
    expect(textOf(await client.call("delete_note", { name: "ideas" }))).toBe("Deleted.");
    expect(textOf(await client.call("delete_note", { name: "ideas" }))).toBe('Note "ideas" not found.');
    await using silent = await start("elicitation", { revision });
    expect(textOf(await silent.call("delete_note", { name: "ideas" }))).toBe("This tool needs a client that supports elicitation.");
  });

  test("roots lists the folders of the client", async () => {
    await using client = await start("roots", { revision, roots: [{ uri: "file:///home/ada" }] });
    expect(textOf(await client.call("list_folders", {}))).toBe("file:///home/ada");
  });
});

test("http-token serves requests with the token only", async () => {
  await using server = await listen("http-token", { TOKEN: SECRET });
  for (const revision of ERAS) {
    await using client = await connect({ url: `${server.origin}/mcp`, token: SECRET }, { revision });
    expect(textOf(await client.call("greet", { name: "Ada" }))).toBe("Hello, Ada!");
  }
  expect((await fetch(`${server.origin}/mcp`, { method: "POST" })).status).toBe(401);
});

test("node-app serves /mcp beside the rest of the app", async () => {
  await using server = await listen("node-app");
  for (const revision of ERAS) {
    await using client = await connect({ url: `${server.origin}/mcp` }, { revision });
    expect(textOf(await client.call("greet", { name: "Ada" }))).toBe("Hello, Ada!");
  }
  expect(await (await fetch(server.origin)).text()).toBe("The rest of the app");
});

test("fetch-handler serves /mcp beside the rest of the app", async () => {
  expect(await (await fetchExample.fetch(new Request("http://localhost/"))).text()).toBe("The rest of the app");
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
  });
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const response = await fetchExample.fetch(new Request("http://localhost/mcp", { method: "POST", headers, body }));
  expect(await response.json()).toMatchObject({ result: { protocolVersion: "2025-06-18", serverInfo: { name: "hello" } } });
});

test("oauth tells a client without a token where to get one", async () => {
  await using server = await listen("oauth", { ISSUER: "https://auth.example.com", AUDIENCE: "https://mcp.example.com/mcp" });
  const { status, headers } = await fetch(`${server.origin}/mcp`, { method: "POST" });
  expect([status, headers.get("www-authenticate")]).toEqual([401, expect.stringMatching(/^Bearer .*resource_metadata=/)]);
});

test("command-line takes switches and refuses unknown ones", async () => {
  await using client = await start("command-line", {}, "--greeting", "Salve");
  expect(textOf(await client.call("greet", { name: "Ada" }))).toBe("Salve, Ada!");
  await using misspelled = startRaw(nodeCommand(exampleFile("command-line"), ["--greting", "x"]));
  expect((await misspelled.exit()).code).toBe(2);
});
