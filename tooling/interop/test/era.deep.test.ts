// SDK v2 discovers the revisions of a server and continues in the newest one: `server/discover` first, without a handshake
// after it. https://modelcontextprotocol.io/specification/2026-07-28/basic/lifecycle
import type { Transport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { tempFolder } from "@oarlock/testing";
import { describe, expect, test, vi } from "vitest";
import { binary } from "./support/built-server.ts";
import { connectV2, WAYS_V2 } from "./support/sdk-v2.ts";
import { throughPipes } from "./support/client-transport.ts";

type Message = Parameters<Transport["send"]>[0];

/** Keeps what goes. Being no base class, it makes the client probe on the connection itself. */
class Recording extends StdioClientTransport {
  readonly sent: Message[] = [];
  started = 0;

  get methods(): string[] {
    return this.sent.map((message) => ("method" in message ? message.method : "answer"));
  }

  override async start(): Promise<void> {
    await super.start();
    this.started = this.pid ?? 0;
  }

  override send(message: Message): Promise<void> {
    this.sent.push(message);
    return super.send(message);
  }
}

const recording = (...served: string[]) => new Recording({ ...binary(...served), stderr: "pipe" });

describe("SDK v2 with version negotiation", () => {
  test("DISC-01 DISC-19 probes with one process, and continues in the newest revision with the next", async () => {
    await using folder = tempFolder({ "a.txt": "a" });
    await using way = await WAYS_V2.stdio(binary(folder.path));
    const client = await connectV2(way.transport, { mode: "auto" }, {});
    const end = way.enter();
    expect([client.era, client.revision]).toEqual(["modern", "2026-07-28"]);
    expect((await client.call("read_text_file", { path: "a.txt" })).content[0]).toEqual({ type: "text", text: "a" });
    expect(client.faults).toEqual([]);
    await client.close();
    expect(await end()).toEqual({ code: 0, signal: null, stderr: expect.stringMatching(/^.* is ready on stdio\n$/) });
  });

  test("DISC-01 STDIO-13 probes in the same process without a handshake; an elicitation is a result, not a request", async () => {
    await using folder = tempFolder({ "a.txt": "a", "b.txt": "b" });
    const transport = recording(folder.path);
    await using way = throughPipes(transport);
    const client = await connectV2(transport, { mode: "auto" }, { elicit: () => ({ action: "accept", content: { confirm: true } }) });
    const end = way.enter();
    expect([client.era, client.revision]).toEqual(["modern", "2026-07-28"]);
    await client.call("move_file", { source: "a.txt", destination: "b.txt", overwrite: true });
    expect(folder.read("b.txt")).toBe("a");
    // The question came as a result, and the answer went with the same request, made again.
    expect(transport.methods).toEqual(["server/discover", "tools/call", "tools/call"]);
    const [, first, again] = transport.sent;
    expect(again).toMatchObject({ params: { inputResponses: { "elicit-1": { action: "accept" } }, requestState: expect.any(String) } });
    expect(first).not.toMatchObject({ params: { requestState: expect.anything() } });
    expect(client.faults).toEqual([]);
    await client.close();
    expect(await end()).toMatchObject({ code: 0, signal: null });
  });
});

describe("SDK v2 pinned to the newest revision", () => {
  test.each(["stdio", "http"] as const)("DISC-01 DISC-02 MRTR-02 over %s: lists, reads, elicits and notifies", async (over) => {
    await using folder = tempFolder({ "a.txt": "a", "b.txt": "b" });
    await using way = await WAYS_V2[over](binary(folder.path));
    const asked: string[] = [];
    const client = await connectV2(
      way.transport,
      { mode: { pin: "2026-07-28" } },
      {
        elicit({ message }) {
          asked.push(message);
          return { action: "accept", content: { confirm: true } };
        },
      },
    );
    const end = way.enter();
    expect([client.era, client.revision]).toEqual(["modern", "2026-07-28"]);
    expect(await client.tools()).toHaveLength(17);
    const uri = (await client.resources())[0]!.uri;
    const news = await client.listen({ resourceSubscriptions: [uri] });
    await client.call("move_file", { source: "a.txt", destination: "b.txt", overwrite: true });
    expect(asked).toEqual(["Replace b.txt by a.txt? What is there now is lost."]);
    await vi.waitFor(() => expect(client.updated).toContain(uri), { timeout: 60_000, interval: 20 });
    await news.close();
    expect(client.faults).toEqual([]);
    await client.close();
    expect(await end()).toMatchObject({ code: 0, signal: null });
  });

  test("DISC-07 LIFE-18 pinned to an unsupported revision fails, and the server exits", async () => {
    await using folder = tempFolder();
    const transport = recording(folder.path);
    await using _ = throughPipes(transport);
    const pinned = connectV2(transport, { mode: { pin: "2099-01-01" }, revisions: ["2099-01-01"] }, {});
    await expect(pinned).rejects.toMatchObject({
      code: -32022,
      data: { supported: expect.arrayContaining(["2026-07-28", "2025-11-25"]), requested: "2099-01-01" },
    });
    expect(transport.started).toBeGreaterThan(0);
    await vi.waitFor(() => expect(() => process.kill(transport.started, 0)).toThrow("ESRCH"), { timeout: 60_000 });
  });
});
