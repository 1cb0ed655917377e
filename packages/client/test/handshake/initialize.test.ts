import { describe, expect, test } from "vitest";
import { defineServer, linkMemory } from "@oarlock/server-kit";
import { findRevision, McpError, REVISIONS } from "@oarlock/server-kit/protocol";
import { ConnectionClosedError, NegotiationError, RequestTimeoutError, type ConnectOptions } from "@oarlock/client";
import { ALL, failure, connectSession, ScriptedPeer } from "../support/scripted-peer.ts";
import { connect } from "../support/connect-session.ts";

const STATEFUL = REVISIONS.filter((id) => findRevision(id)?.facts.era === "handshake");
const serverInfo = { name: "played", version: "1" };

describe("the handshake", () => {
  test("LIFE-01 LIFE-02 LIFE-04 LIFE-11 LIFE-12 JSON-17: sends initialize first, for the newest revision, then initialized, then requests", async () => {
    const peer = new ScriptedPeer();
    const connecting = connect(peer.wire, { clientInfo: { name: "host", version: "7" } });
    expect(await peer.next()).toEqual({
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "host", version: "7" } },
    });
    expect(peer.received).toHaveLength(1);
    peer.send({ id: 1, result: { protocolVersion: "2025-11-25", capabilities: ALL, serverInfo, instructions: "Be kind." } });
    const client = await connecting;
    void client.ping().catch(() => undefined);
    expect([await peer.next(), await peer.next()]).toEqual([
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", id: 2, method: "ping" },
    ]);
    expect(client).toMatchObject({ revision: "2025-11-25", serverInfo, capabilities: ALL, instructions: "Be kind." });
  });

  test.each(STATEFUL)("LIFE-03: requests %s and gets it", async (revision) => {
    await using client = await connect(linkMemory(defineServer({ name: "s", version: "1" })), { revision });
    expect(client.revision).toBe(revision);
  });

  test("LIFE-18: accepts an older revision that the server prefers", async () => {
    const peer = new ScriptedPeer();
    const connecting = connect(peer.wire);
    await peer.answer("initialize", { protocolVersion: "2024-11-05", capabilities: {}, serverInfo });
    expect((await connecting).revision).toBe("2024-11-05");
  });

  test("LIFE-14 LIFE-15: follows the older revision afterwards, whatever it declared for the newer", async () => {
    const { peer } = await connectSession({ elicit: () => ({ action: "decline" }) }, { protocolVersion: "2025-03-26" });
    const params = { message: "?", requestedSchema: { type: "object", properties: {} } };
    expect(await peer.request(1, "elicitation/create", params)).toMatchObject({ id: 1, error: { code: -32601 } });
  });

  test.each(["2099-01-01", "2023-01-01", ""])("LIFE-03: refuses the revision %j and sends nothing", async (revision) => {
    const peer = new ScriptedPeer();
    await expect(connect(peer.wire, { revision })).rejects.toThrow(TypeError);
    expect(peer.received).toEqual([]);
  });

  test.each<[unknown, string]>([
    ["2026-07-28", "a revision without handshake"],
    ["1999-01-01", "an unpublished revision"],
    [7, "no string"],
  ])("LIFE-08: disconnects when the server answers %j, %s", async (protocolVersion) => {
    const peer = new ScriptedPeer();
    const connecting = connect(peer.wire);
    const failed = failure(connecting);
    await peer.answer("initialize", { protocolVersion, capabilities: {}, serverInfo });
    expect(await failed).toEqual(
      new NegotiationError(`No common protocol revision: the server offers ${String(protocolVersion)}, which this client does not support`),
    );
    expect(peer.closed).toBe(true);
    expect(peer.received).toHaveLength(1);
  });

  test.each([
    { protocolVersion: "2025-11-25", serverInfo },
    { protocolVersion: "2025-11-25", capabilities: [], serverInfo },
    { protocolVersion: "2025-11-25", capabilities: {} },
    { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: { name: "played" } },
  ])("LIFE-18: disconnects when the answer is %j", async (result) => {
    const peer = new ScriptedPeer();
    const connecting = connect(peer.wire);
    const failed = failure(connecting);
    await peer.answer("initialize", result);
    expect(await failed).toBeInstanceOf(NegotiationError);
    expect(peer.closed).toBe(true);
  });

  test("LIFE-18: throws the error of a refused initialize and closes", async () => {
    const peer = new ScriptedPeer();
    const failed = failure(connect(peer.wire));
    const { id } = await peer.next();
    peer.send({ id, error: { code: -32602, message: "Unsupported protocol version", data: { supported: [] } } });
    expect(await failed).toEqual(new McpError(-32602, "Unsupported protocol version", { supported: [] }));
    expect(peer.closed).toBe(true);
  });

  test("CANCEL-02: closes without a cancellation when aborted during the handshake", async () => {
    const peer = new ScriptedPeer();
    const abort = new AbortController();
    const failed = failure(connect(peer.wire, { signal: abort.signal }));
    await peer.next();
    abort.abort(new Error("enough"));
    expect((await failed).message).toBe("enough");
    expect(peer.closed).toBe(true);
    expect(peer.received).toHaveLength(1);
  });

  test("CANCEL-02 TIME-01: times out and closes without a cancellation", async () => {
    const peer = new ScriptedPeer();
    await expect(connect(peer.wire, { timeoutMs: 10 })).rejects.toThrow(new RequestTimeoutError("initialize", 10, false));
    expect(peer.closed).toBe(true);
    expect(peer.received).toHaveLength(1);
  });

  test("sends nothing for an aborted signal", async () => {
    const peer = new ScriptedPeer();
    await expect(connect(peer.wire, { signal: AbortSignal.abort(new Error("no")) })).rejects.toThrow("no");
    expect(peer.received).toEqual([]);
  });

  test("fails when the connection ends during the handshake", async () => {
    const peer = new ScriptedPeer();
    const failed = failure(connect(peer.wire));
    await peer.next();
    peer.wire.onClose?.(new Error("gone"));
    expect(await failed).toEqual(new ConnectionClosedError("gone"));
  });
});

describe("declared capabilities", () => {
  const roots: ConnectOptions = { roots: [] };
  const elicit: ConnectOptions = { elicit: () => ({ action: "cancel" }) };
  const elicitUrl: ConnectOptions = { elicitUrl: () => ({ action: "cancel" }) };
  const sample: ConnectOptions = { sample: () => ({ role: "assistant", content: { type: "text", text: "" }, model: "m" }) };
  const everything: ConnectOptions = { ...roots, ...elicit, ...elicitUrl, ...sample, sampleTools: true };

  test.each<[string, string, ConnectOptions, object]>([
    ["nothing", "2025-11-25", {}, {}],
    ["ROOTS-01: roots", "2025-11-25", roots, { roots: { listChanged: true } }],
    ["SAMP-01: sampling", "2025-11-25", sample, { sampling: {} }],
    ["SAMP-01: sampling with tools", "2025-11-25", { ...sample, sampleTools: true }, { sampling: { tools: {} } }],
    ["ELIC-01 ELIC-05: forms", "2025-11-25", elicit, { elicitation: { form: {} } }],
    ["ELIC-01 ELIC-05: pages", "2025-11-25", elicitUrl, { elicitation: { url: {} } }],
    ["everything", "2025-11-25", everything, { roots: { listChanged: true }, sampling: { tools: {} }, elicitation: { form: {}, url: {} } }],
    ["LIFE-15: no modes and no tools", "2025-06-18", everything, { roots: { listChanged: true }, sampling: {}, elicitation: {} }],
    ["ELIC-05: URL elicitation only", "2025-06-18", elicitUrl, {}],
    ["LIFE-14: no elicitation", "2025-03-26", everything, { roots: { listChanged: true }, sampling: {} }],
    ["LIFE-14: no elicitation", "2024-11-05", everything, { roots: { listChanged: true }, sampling: {} }],
    [
      "JSON-22: an unknown capability",
      "2025-11-25",
      { ...roots, capabilities: { experimental: { "com.example/x": {} } } },
      {
        experimental: { "com.example/x": {} },
        roots: { listChanged: true },
      },
    ],
  ])("declares %s — %s", async (_, revision, options, capabilities) => {
    const peer = new ScriptedPeer();
    void connect(peer.wire, { ...options, revision }).catch(() => undefined);
    expect((await peer.next()).params).toMatchObject({ protocolVersion: revision, capabilities });
    expect((peer.received[0]!.params as { capabilities: object }).capabilities).toEqual(capabilities);
  });

  test("ROOTS-04: refuses roots that are not file:// URIs before it sends anything", async () => {
    const peer = new ScriptedPeer();
    await expect(connect(peer.wire, { roots: [{ uri: "https://example.com" }] })).rejects.toThrow("Invalid root: expected a file:// URI");
    expect(peer.received).toEqual([]);
  });
});
