// A server process that exits and is started again: what its client repeats.
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { connect, InterruptedError } from "@oarlock/client";
import { script } from "../support/odd-process.ts";
import { readNotifications } from "../support/read-notifications.ts";
import { failure } from "../support/scripted-peer.ts";
import { NEWEST } from "../support/stateless-peers.ts";

describe("STDIO-12 a server process that exits", () => {
  const log = (): string => {
    const folder = mkdtempSync(join(tmpdir(), "oarlock-listen-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    return join(folder, "log");
  };
  const methodsIn = (file: string): unknown[] =>
    readFileSync(file, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).method);

  test("SUB-16 SUB-20 JSON-05 is restarted if configured: subscriptions reopen and get the notifications that they may have missed", async () => {
    const file = log();
    appendFileSync(`${file}.crashed`, "");
    const changed: string[] = [];
    await using client = await connect(script("crashes", file), {
      revision: NEWEST,
      restarts: 1,
      onListChanged: (list) => changed.push(list),
    });
    const heard: string[] = [];
    await client.subscribe("a://b", (uri) => heard.push(uri));
    const listening = client.listen({ tools: true, uris: ["a://c"] });
    await listening.ready;
    // What a tool may have done is not done again.
    expect(await failure(client.call("x"))).toBeInstanceOf(InterruptedError);
    expect(await readNotifications(listening, 2)).toEqual([{ kind: "tools" }, { kind: "updated", uri: "a://c" }]);
    await expect.poll(() => [heard, changed]).toEqual([["a://b"], ["tools"]]);
    expect((await client.read("a://d")).contents).toHaveLength(1);
    expect(methodsIn(file).filter((method) => method === "subscriptions/listen")).toHaveLength(6);
    expect(methodsIn(file).filter((method) => method === "server/discover")).toHaveLength(1);
    const ids = readFileSync(file, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).id)
      .filter((id) => id !== undefined);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("repeats reading requests under a new id", async () => {
    const file = log();
    await using client = await connect(script("crashes", file), { revision: NEWEST, restarts: 1 });
    expect((await client.read("a://d")).contents).toHaveLength(1);
    expect(methodsIn(file)).toEqual(["server/discover", "resources/read", "resources/read"]);
  });

  test("is restarted only if configured, and only once", async () => {
    for (const restarts of [0, 1]) {
      const client = await connect(script("crashes", log()), { revision: NEWEST, restarts });
      for (let time = 0; time <= restarts; time++) await expect(client.call("x")).rejects.toThrow("exited with code 5");
      expect((await client.closed).message).toContain("exited with code 5");
    }
  });
});
