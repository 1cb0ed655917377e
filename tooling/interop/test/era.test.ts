// How the second generation finds out what a server speaks: `server/discover` first, and the handshake when that is refused.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/lifecycle
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { tempFolder } from "@oarlock/testing";
import { describe, expect, test, vi } from "vitest";
import { binary } from "../src/binary.ts";
import { connectV2 } from "../src/sdk-v2.ts";

type Message = Parameters<StdioClientTransport["send"]>[0];

/** Keeps what goes and comes. Being no base class, it makes the client probe on the connection itself. */
class Recording extends StdioClientTransport {
  static sent: Message[] = [];
  static pid = 0;

  override send(message: Message): Promise<void> {
    Recording.sent.push(message);
    Recording.pid = this.pid ?? 0;
    return super.send(message);
  }
}

describe("SDK v2 left to find out", () => {
  test("DISC-14 LIFE-19 probes with a process of its own, and falls back to the handshake with the next", async () => {
    await using folder = tempFolder({ "a.txt": "a" });
    const client = await connectV2(binary(folder.path), { mode: "auto" }, {});
    expect([client.era, client.revision]).toEqual(["legacy", "2025-11-25"]);
    expect((await client.call("read_text_file", { path: "a.txt" })).content).toEqual([{ type: "text", text: "a" }]);
    expect(client.faults).toEqual([]);
    expect(await client.close()).toEqual({ code: 0, signal: null, stderr: expect.stringMatching(/^.* is ready on stdio\n$/) });
  });

  test("LIFE-19 probes in place, is refused with an error, and shakes hands on the same connection", async () => {
    await using folder = tempFolder({ "a.txt": "a" });
    Recording.sent = [];
    const client = await connectV2(binary(folder.path), { mode: "auto", transport: Recording }, {});
    expect(Recording.sent.map((message) => ("method" in message ? message.method : "answer"))).toEqual([
      "server/discover",
      "initialize",
      "notifications/initialized",
    ]);
    expect([client.era, client.revision]).toEqual(["legacy", "2025-11-25"]);
    expect((await client.call("read_text_file", { path: "a.txt" })).content).toEqual([{ type: "text", text: "a" }]);
    expect(client.faults).toEqual([]);
    expect(await client.close()).toMatchObject({ code: 0, signal: null });
  });

  test("LIFE-18 pinned to a revision that is not served: the client says so, and no process stays", async () => {
    await using folder = tempFolder();
    const pinned = connectV2(binary(folder.path), { mode: { pin: "2026-07-28" }, transport: Recording }, {});
    await expect(pinned).rejects.toThrow("the server did not offer pinned protocol version 2026-07-28");
    expect(Recording.pid).toBeGreaterThan(0);
    await vi.waitFor(() => expect(() => process.kill(Recording.pid, 0)).toThrow("ESRCH"));
  });
});
