// StatelessPeer: a client that is known by one request only.
import { describe, expect, test } from "vitest";
import { StatelessPeer } from "../../src/peer/stateless-peer.ts";
import { readEnvelope, type Envelope } from "../../src/protocol/meta.ts";
import { find } from "../../src/revisions/index.ts";
import type { Json } from "../../src/wire/json-rpc.ts";
import { ABLE } from "../support/talk.ts";

const revision = find("2026-07-28")!;
const { signal } = new AbortController();

const envelope = (capabilities: Json, more: Json = {}): Envelope =>
  readEnvelope({
    _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": capabilities,
      ...more,
    },
  });
const open = (capabilities: Json = {}, more?: Json): StatelessPeer =>
  Object.assign(new StatelessPeer(envelope(capabilities, more), revision, Infinity), { canRequestInput: true });

test("META-10 returns the client's name if the request has it", () => {
  const named = open({}, { "io.modelcontextprotocol/clientInfo": { name: "c", version: "1", title: "C" } });
  expect([named.client.name, named.client.version]).toEqual(["c", "1"]);
  const { name, version, hasNamedRoots } = open().client;
  expect([name, version, hasNamedRoots]).toEqual([undefined, undefined, false]);
});

describe("META-11 takes the client's features from the request", () => {
  test.each<[Json, string[]]>([
    [ABLE, ["elicit", "elicit.url", "sample", "roots", "sample.tools", "sample.context"]],
    [{}, []],
    [{ elicitation: {} }, ["elicit"]],
    [{ elicitation: { url: {} } }, ["elicit.url"]],
    [{ elicitation: { form: {} }, sampling: {} }, ["elicit", "sample"]],
    [{ sampling: { tools: {} } }, ["sample", "sample.tools"]],
    [{ roots: { listChanged: true } }, ["roots"]],
    [{ elicitation: true, sampling: 1, roots: "yes" }, []],
    [{ elicitation: null, sampling: null, roots: null }, []],
    [{ elicitation: [], sampling: [], roots: [] }, []],
  ])("%j", (capabilities, abilities) => {
    const peer = open(capabilities);
    const can = (["elicit", "elicit.url", "sample", "roots"] as const).filter((what) => peer.client.can(what));
    const may = (["sample.tools", "sample.context"] as const).filter((what) => peer.client.can(what));
    expect([...can, ...may]).toEqual(abilities);
  });
});

test("sends no request until a handler does", () => {
  const peer = open(ABLE);
  expect(peer.inputRequests).toBeUndefined();
  expect(peer.requester()).toBe(peer.requester());
  expect(peer.inputRequests?.hasPending).toBe(false);
});

test("MRTR-01 refuses client requests for methods that allow none", async () => {
  const peer = new StatelessPeer(envelope(ABLE), revision, Infinity);
  await expect(peer.requester().requestFromClient({ method: "roots/list", params: {}, requires: "roots" }, signal)).rejects.toThrow(
    "only tools, prompts",
  );
  await expect(peer.roots(peer.requester())).rejects.toThrow("only tools, prompts");
  expect(peer.inputRequests).toBeUndefined();
});

describe("roots", () => {
  test("are an input request like any other, sent once", async () => {
    const peer = open({ roots: {} });
    const readRoots = (): Promise<unknown> => peer.roots(peer.requester());
    await expect(readRoots()).rejects.toThrow("suspended");
    await expect(readRoots()).rejects.toThrow("suspended");
    expect(peer.inputRequests?.pending).toEqual({ roots: { method: "roots/list" } });
  });

  test("arrive with the answer, without invalid ones", async () => {
    const asking = open({ roots: {} });
    await expect(asking.roots(asking.requester())).rejects.toThrow("suspended");
    const peer = open({ roots: {} });
    const roots = [{ uri: "file:///a", name: "a" }, { uri: "http://x.example/" }, 7];
    peer.resume(asking.inputRequests!.nextState, new Map([["roots", { roots }]]));
    expect(await peer.roots(peer.requester())).toEqual([{ uri: "file:///a", name: "a" }]);
    expect(peer.inputRequests?.hasPending).toBe(false);
  });

  test("MRTR-06 are not requested of a client without them", async () => {
    const peer = open({ elicitation: {} });
    await expect(peer.roots(peer.requester())).rejects.toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { roots: {} } },
    });
    expect(peer.inputRequests?.hasPending).toBe(false);
  });
});
