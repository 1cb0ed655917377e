// A closed client in a process of its own keeps no socket and no timer.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { event, events, ScriptedHttpServer, type Act } from "../../support/scripted-http-server.ts";

describe("leaves no socket and no timer open", () => {
  const script = fileURLToPath(new URL("../../fixtures/http-close.ts", import.meta.url));
  const waits: Act = ({ message }, response) => (message.method === "tools/call" ? void events(response, ":\n\n") : false);

  test.each<[string, Act]>([
    ["after answers in JSON", () => false],
    ["with a standing stream", ({ http }, response) => (http === "GET" ? void events(response, "id: 1\ndata: \n\n") : false)],
    ["while it waits to come back", ({ http }, response) => (http === "GET" ? void events(response, "retry: 60000\n\n").end() : false)],
    [
      "while a request waits to be resumed",
      ({ message }, response) => (message.method === "tools/call" ? void events(response, "retry: 60000\nid: 1\ndata: \n\n").end() : false),
    ],
    ["while a request waits", waits],
    [
      "with a stream that goes on behind its answer",
      ({ message: { id, method } }, response) =>
        method === "tools/call" ? void events(response, event({ id, result: { content: [] } })) : false,
    ],
    ["while a notification is not accepted", ({ message }) => message.method === "notifications/initialized"],
  ])("%s", async (_, act) => {
    await using server = await ScriptedHttpServer.start(act);
    const child = spawn(process.execPath, ["--conditions=oarlock-source", "--expose-gc", script, server.url], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
    const exited = once(child, "exit");
    await expect
      .poll(() => server.of("tools/call").length + server.of("notifications/initialized").length, { timeout: 50_000 })
      .toBeGreaterThan(0);
    child.stdin.end();
    expect(await exited).toEqual([0, null]);
    expect(output).toBe("[]\n");
  });
});
