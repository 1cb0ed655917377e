// Discovery of the era of a server over a pipe.
import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { defineServer, linkMemory, tool } from "@oarlock/server-kit";
import { NEWEST_HANDSHAKE, REVISIONS, type Json } from "@oarlock/server-kit/protocol";
import { connect, NegotiationError, RequestTimeoutError, type Client } from "@oarlock/client";
import { ALL, failure, ScriptedPeer } from "../support/scripted-peer.ts";
import { discovered, envelopeOf, connectStateless, NEWEST } from "../support/stateless-peers.ts";

const greeting = { protocolVersion: NEWEST_HANDSHAKE, capabilities: ALL, serverInfo: { name: "old", version: "1" } };
const unsupported = (supported: unknown): Json => ({ code: -32_022, message: "Unsupported protocol version", data: { supported } });

/** A played server that answers the probe with this error. */
async function refusing(error: Json, options = {}): Promise<{ peer: ScriptedPeer; connecting: Promise<Client> }> {
  const peer = new ScriptedPeer();
  const connecting = connect(peer.wire, options);
  connecting.catch(() => undefined);
  const { id, method } = await peer.next();
  expect(method).toBe("server/discover");
  peer.send({ id, error });
  return { peer, connecting };
}

describe("without a named revision", () => {
  test("DISC-11 DISC-12 META-07 META-08 sends server/discover first and needs only its result", async () => {
    const peer = new ScriptedPeer();
    const connecting = connect(peer.wire, { roots: [], clientInfo: { name: "host", version: "7" } });
    const probe = await peer.next();
    expect(probe).toMatchObject({ jsonrpc: "2.0", id: 1, method: "server/discover" });
    expect(envelopeOf(probe)).toEqual({ version: NEWEST, capabilities: { roots: {} }, clientInfo: { name: "host", version: "7" } });
    peer.send({ id: 1, result: { ...discovered(), instructions: "Be kind." } });
    const client = await connecting;
    expect(client).toMatchObject({
      revision: NEWEST,
      capabilities: ALL,
      instructions: "Be kind.",
      serverInfo: { name: "played", version: "1" },
    });
    expect(peer.received).toHaveLength(1);
  });

  test.each<[string, Json]>([
    ["-32601", { code: -32_601, message: "Method not found" }],
    ["-32602", { code: -32_602, message: "Invalid params" }],
    ["-32600", { code: -32_600, message: "Not initialized" }],
    ["-32000", { code: -32_000, message: "Server not initialized" }],
    ["-32002", { code: -32_002, message: "Server not initialized" }],
    ["a code of its own", { code: 17, message: "what?" }],
    ["an error without a code", { message: "what?" }],
  ])("DISC-13 DISC-14 uses a handshake after the answer %s to the probe", async (_, error) => {
    const { peer, connecting } = await refusing(error);
    await peer.answer("initialize", greeting);
    expect((await connecting).revision).toBe(NEWEST_HANDSHAKE);
    expect((await peer.next()).method).toBe("notifications/initialized");
  });

  test("DISC-14 ignores a result without versions", async () => {
    const peer = new ScriptedPeer();
    const connecting = connect(peer.wire);
    await peer.answer("server/discover", {});
    await peer.answer("initialize", greeting);
    expect((await connecting).serverInfo.name).toBe("old");
  });

  test("DISC-13 DISC-14 uses a handshake after silence, however short the time limit of requests is", async () => {
    const peer = new ScriptedPeer();
    const connecting = connect(peer.wire, { timeoutMs: 500 });
    expect((await peer.next()).method).toBe("server/discover");
    await peer.answer("initialize", greeting);
    expect((await connecting).revision).toBe(NEWEST_HANDSHAKE);
  });

  test("DISC-13 DISC-14 uses a handshake after silence, without cancelling the probe", async () => {
    const peer = new ScriptedPeer();
    const faults: string[] = [];
    const connecting = connect(peer.wire, { probeMs: 10, onFault: (what) => faults.push(what) });
    const { id } = await peer.next();
    await peer.answer("initialize", greeting);
    const client = await connecting;
    expect(client.revision).toBe(NEWEST_HANDSHAKE);
    expect(peer.received.map(({ method }) => method)).toEqual(["server/discover", "initialize", "notifications/initialized"]);
    // Nor is an answer that comes too late a surprise.
    peer.send({ id, error: { code: -32_601, message: "Method not found" } });
    const called = client.ping();
    await peer.next();
    await peer.answer("ping", {});
    await called;
    expect(faults).toEqual([]);
  });

  test("DISC-12 detects a newer server that starts slowly and refuses the handshake before it answers the probe", async () => {
    const peer = new ScriptedPeer();
    const connecting = connect(peer.wire, { probeMs: 100 });
    const probe = await peer.next();
    const hello = await peer.next();
    peer.send({ id: hello.id, error: { code: -32_601, message: "Method not found" } });
    await setImmediate();
    await setImmediate();
    peer.send({ id: probe.id, result: discovered() });
    expect((await connecting).revision).toBe(NEWEST);
  });

  test.each(["discover only", "both"])("DISC-12 detects a newer server that starts slowly: %s", async (answers) => {
    const peer = new ScriptedPeer();
    const faults: string[] = [];
    const connecting = connect(peer.wire, { probeMs: 10, onFault: (what) => faults.push(what) });
    const probe = await peer.next();
    const hello = await peer.next();
    expect(hello.method).toBe("initialize");
    peer.send({ id: probe.id, result: discovered() });
    if (answers === "both") peer.send({ id: hello.id, error: { code: -32_601, message: "Method not found" } });
    expect((await connecting).revision).toBe(NEWEST);
    if (answers !== "both") peer.send({ id: hello.id, error: { code: -32_601, message: "Method not found" } });
    expect(faults).toEqual([]);
    expect(peer.received).toHaveLength(2);
  });

  test("DISC-09 DISC-12 repeats the probe after -32022 with a common version, without initialize", async () => {
    const { peer, connecting } = await refusing(unsupported(["2099-01-01", NEWEST, "2024-11-05"]));
    const again = await peer.next();
    expect([again.method, again.id, envelopeOf(again).version]).toEqual(["server/discover", 2, NEWEST]);
    peer.send({ id: 2, result: discovered() });
    expect((await connecting).revision).toBe(NEWEST);
    expect(peer.received).toHaveLength(2);
  });

  test("DISC-09 probes a server that refuses its own versions only twice", async () => {
    const { peer, connecting } = await refusing(unsupported([NEWEST]));
    const { id } = await peer.next();
    peer.send({ id, error: unsupported([NEWEST]) });
    expect(await failure(connecting)).toMatchObject({ code: -32_022 });
    expect(peer.closed).toBe(true);
  });

  test("DISC-09 uses initialize after -32022 with handshake revisions only", async () => {
    const { peer, connecting } = await refusing(unsupported(["2025-06-18"]));
    await peer.answer("initialize", { ...greeting, protocolVersion: "2025-06-18" });
    expect((await connecting).revision).toBe("2025-06-18");
  });

  test.each([unsupported(["2099-01-01", "1999-01-01"]), unsupported([])])(
    "DISC-09 reports that no common version exists: %j",
    async (error) => {
      const { peer, connecting } = await refusing(error);
      const versions = (error.data as { supported: string[] }).supported.join(", ") || "no revision";
      expect(await failure(connecting)).toEqual(
        new NegotiationError(`No common protocol revision: the server offers ${versions}, this client ${REVISIONS.join(", ")}`),
      );
      expect(peer.closed).toBe(true);
      expect(peer.received).toHaveLength(1);
    },
  );

  test.each([-32_020, -32_021, -32_022])("DISC-12 reports other errors of newer servers without initialize: %i", async (code) => {
    const { peer, connecting } = await refusing({ code, message: "no" });
    expect(await failure(connecting)).toMatchObject({ code });
    expect(peer.received).toHaveLength(1);
  });

  test("DISC-16 sends no probe to a server of a known era", async () => {
    const { peer, connecting } = await refusing({ code: -32_601, message: "Method not found" });
    await peer.answer("initialize", greeting);
    const client = await connecting;
    await peer.next(); // initialized
    for (const name of ["a", "b"]) {
      const called = client.call(name);
      await peer.answer("tools/call", { content: [] });
      await called;
    }
    expect(peer.received.filter(({ method }) => method === "server/discover")).toHaveLength(1);
  });

  test("connects to a server of the kit without a handshake", async () => {
    const sent: string[] = [];
    const server = defineServer({ name: "s", version: "1", tools: [tool({ name: "t", run: () => "done" })] });
    await using client = await connect(linkMemory(server), { onWire: (direction, text) => direction === "sent" && sent.push(text) });
    expect(client.revision).toBe(NEWEST);
    expect(await client.call("t")).toEqual({ content: [{ type: "text", text: "done" }] });
    expect(sent.map((text) => JSON.parse(text).method)).toEqual(["server/discover", "tools/call"]);
  });
});

describe("with the newest revision named", () => {
  const pinned = { revision: NEWEST };

  test("DISC-22 distinguishes an older server from a broken one without further requests", async () => {
    const { peer, connecting } = await refusing({ code: -32_601, message: "Method not found" }, pinned);
    expect(await failure(connecting)).toEqual(new NegotiationError(`The server does not support ${NEWEST}: Method not found`));
    expect(peer.closed).toBe(true);
    expect(peer.received).toHaveLength(1);
  });

  test("DISC-22 times out at a silent server", async () => {
    expect(await failure(connect(new ScriptedPeer().wire, { ...pinned, timeoutMs: 20 }))).toEqual(
      new RequestTimeoutError("server/discover", 20, false),
    );
  });

  test("DISC-09 reports a server with other versions only", async () => {
    const { connecting } = await refusing(unsupported(REVISIONS.slice(1)), pinned);
    expect((await failure(connecting)).message).toBe(
      `No common protocol revision: the server offers ${REVISIONS.slice(1).join(", ")}, this client ${NEWEST}`,
    );
  });

  test("DISC-10 sends no probe if the server is known", async () => {
    const { client: first } = await connectStateless();
    const peer = new ScriptedPeer();
    const client = await connect(peer.wire, { known: first });
    expect(peer.received).toEqual([]);
    expect(client).toMatchObject({ revision: NEWEST, serverInfo: first.serverInfo, capabilities: first.capabilities });
    const called = client.call("x");
    expect(envelopeOf(await peer.answer("tools/call", { content: [] })).version).toBe(NEWEST);
    await called;
    const older = { revision: "2025-06-18", capabilities: {}, serverInfo: first.serverInfo };
    await expect(connect(new ScriptedPeer().wire, { known: older })).rejects.toThrow(TypeError);
  });

  test("accepts a server without a name", async () => {
    const peer = new ScriptedPeer();
    const connecting = connect(peer.wire, pinned);
    await peer.answer("server/discover", { supportedVersions: [NEWEST], _meta: { "io.modelcontextprotocol/serverInfo": 7 } });
    expect(await connecting).toMatchObject({ serverInfo: { name: "unknown", version: "0" }, capabilities: {} });
  });
});
