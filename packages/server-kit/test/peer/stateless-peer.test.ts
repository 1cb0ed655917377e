// A peer that is known by one request alone.
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
  Object.assign(new StatelessPeer(envelope(capabilities, more), revision, Infinity), { mayAsk: true });

test("META-10 the client's name is known when it says it", () => {
  const named = open({}, { "io.modelcontextprotocol/clientInfo": { name: "c", version: "1", title: "C" } });
  expect([named.client.name, named.client.version]).toEqual(["c", "1"]);
  expect(open().client).toEqual({ can: expect.any(Function) });
});

describe("META-11 what the client may be asked is what this request says", () => {
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
    const exchange = open(capabilities);
    const can = (["elicit", "elicit.url", "sample", "roots"] as const).filter((what) => exchange.client.can(what));
    const may = (["sample.tools", "sample.context"] as const).filter((what) => exchange.supports(what));
    expect([...can, ...may]).toEqual(abilities);
  });
});

test("nothing was asked until somebody asks", () => {
  const exchange = open(ABLE);
  expect(exchange.inputRequests).toBeUndefined();
  expect(exchange.requester()).toBe(exchange.requester());
  expect(exchange.inputRequests?.hasPending).toBe(false);
});

test("MRTR-01 nothing is asked where nothing may be asked", async () => {
  const exchange = new StatelessPeer(envelope(ABLE), revision, Infinity);
  await expect(exchange.requester().requestFromClient({ method: "roots/list", params: {}, requires: "roots" }, signal)).rejects.toThrow(
    "only tools, prompts",
  );
  await expect(exchange.roots(exchange.requester(), signal)).rejects.toThrow("only tools, prompts");
  expect(exchange.inputRequests).toBeUndefined();
});

describe("folders", () => {
  test("are a question like any other, asked once", async () => {
    const exchange = open({ roots: {} });
    const ask = (): Promise<unknown> => exchange.roots(exchange.requester(), signal);
    await expect(ask()).rejects.toThrow("suspended");
    await expect(ask()).rejects.toThrow("suspended");
    expect(exchange.inputRequests?.pending).toEqual({ roots: { method: "roots/list" } });
  });

  test("come with the answer; what is no folder is left out", async () => {
    const asking = open({ roots: {} });
    await expect(asking.roots(asking.requester(), signal)).rejects.toThrow("suspended");
    const exchange = open({ roots: {} });
    const roots = [{ uri: "file:///a", name: "a" }, { uri: "http://x.example/" }, 7];
    exchange.resume(asking.inputRequests!.nextState, new Map([["roots", { roots }]]));
    expect(await exchange.roots(exchange.requester(), signal)).toEqual([{ uri: "file:///a", name: "a" }]);
    expect(exchange.inputRequests?.hasPending).toBe(false);
  });

  test("MRTR-06 are not asked of a client without", async () => {
    const exchange = open({ elicitation: {} });
    await expect(exchange.roots(exchange.requester(), signal)).rejects.toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { roots: {} } },
    });
    expect(exchange.inputRequests?.hasPending).toBe(false);
  });
});
