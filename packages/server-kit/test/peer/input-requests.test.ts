// Questions that are answered from earlier rounds, or noted for the next one.
import { describe, expect, test } from "vitest";
import type { ClientRequester, ClientRequest } from "../../src/peer/client-request.ts";
import { INITIAL_STATE, type RequestState } from "../../src/peer/request-state.ts";
import { InputRequests } from "../../src/peer/input-requests.ts";
import { PeerClient } from "../../src/peer/peer-client.ts";
import { Suspended } from "../../src/protocol/errors.ts";
import { find } from "../../src/revisions/index.ts";
import type { Json } from "../../src/wire/json-rpc.ts";
import { ABLE } from "../support/talk.ts";

const revision = find("2026-07-28")!;
const { signal } = new AbortController();
const clientWith = (capabilities: Json): PeerClient => new PeerClient(revision, capabilities, new Set(), undefined);

const form = (message: string, key?: string): ClientRequest => ({
  method: "elicitation/create",
  params: { mode: "form", message, requestedSchema: { type: "object", properties: {} } },
  requires: "elicit",
  ...(key !== undefined && { key }),
});
const model = (text: string): ClientRequest => ({
  method: "sampling/createMessage",
  params: { messages: [{ role: "user", content: { type: "text", text } }], maxTokens: 1 },
  requires: "sample",
});
const folders: ClientRequest = { method: "roots/list", params: {}, requires: "roots", key: "roots" };
const yes = (content: Json = {}): Json => ({ action: "accept", content });

interface Round {
  /** What the handler gave; undefined when it unwound. */
  result: unknown;
  requests: Json;
  state: RequestState;
}

/** Runs a handler once. */
async function round(
  handler: (asker: ClientRequester) => Promise<unknown>,
  state: RequestState,
  responses: Json,
  capabilities: Json = ABLE,
): Promise<Round> {
  const replay = new InputRequests({
    revision,
    client: clientWith(capabilities),
    state,
    responses: new Map(Object.entries(responses) as [string, Json][]),
  });
  const result = await handler(replay).catch((error: unknown) => {
    if (error instanceof Suspended) return undefined;
    throw error;
  });
  expect(replay.hasPending).toBe(Object.keys(replay.pending).length > 0);
  return { result, requests: replay.pending, state: replay.nextState };
}

const twoInTurn = async (asker: ClientRequester): Promise<unknown> => [
  await asker.requestFromClient(form("first?"), signal),
  await asker.requestFromClient(form("second?"), signal),
];

describe("MRTR-19 rounds", () => {
  test("MRTR-07 records one input request as method and params, and then its answer", async () => {
    const handler = (asker: ClientRequester): Promise<unknown> => asker.requestFromClient(form("Sure?"), signal);
    const first = await round(handler, INITIAL_STATE, {});
    expect(first.result).toBeUndefined();
    expect(first.requests).toEqual({ "elicit-1": { method: "elicitation/create", params: form("Sure?").params } });
    const second = await round(handler, first.state, { "elicit-1": yes({ a: 1 }) });
    expect(second).toMatchObject({ result: yes({ a: 1 }), requests: {} });
  });

  test("take two rounds for two input requests in sequence; the second needs the second answer only", async () => {
    const first = await round(twoInTurn, INITIAL_STATE, {});
    expect(Object.keys(first.requests)).toEqual(["elicit-1"]);
    const second = await round(twoInTurn, first.state, { "elicit-1": yes({ a: 1 }) });
    expect(Object.keys(second.requests)).toEqual(["elicit-2"]);
    const third = await round(twoInTurn, second.state, { "elicit-2": yes({ b: 2 }) });
    expect(third).toMatchObject({ result: [yes({ a: 1 }), yes({ b: 2 })], requests: {} });
  });

  test("MRTR-05 send concurrent input requests together, each under its own key; roots without params", async () => {
    const handler = (asker: ClientRequester): Promise<unknown> =>
      Promise.all(
        [form("a?"), form("b?"), model("c"), model("d"), folders, form("e?", "mine")].map((question) =>
          asker.requestFromClient(question, signal),
        ),
      );
    const first = await round(handler, INITIAL_STATE, {});
    expect(Object.keys(first.requests)).toEqual(["elicit-1", "elicit-2", "sample-1", "sample-2", "roots", "mine"]);
    expect(first.requests["roots"]).toEqual({ method: "roots/list" });
    expect(first.requests["sample-2"]).toEqual({ method: "sampling/createMessage", params: model("d").params });
    // MRTR-22: some answers are there, the others are asked for again.
    const half = await round(handler, first.state, { "elicit-2": yes(), roots: { roots: [] }, mine: yes() });
    expect(Object.keys(half.requests)).toEqual(["elicit-1", "sample-1", "sample-2"]);
    const replyText = { role: "assistant", content: { type: "text", text: "x" }, model: "m" };
    const last = await round(handler, half.state, { "elicit-1": yes({ late: 1 }), "sample-1": replyText, "sample-2": replyText });
    expect(last).toMatchObject({ result: [yes({ late: 1 }), yes(), replyText, replyText, { roots: [] }, yes()], requests: {} });
  });

  test("MRTR-21 ignore answers without a request, now and later", async () => {
    const first = await round(twoInTurn, INITIAL_STATE, {});
    const second = await round(twoInTurn, first.state, {
      "elicit-1": yes(),
      "elicit-2": yes({ forged: true }),
      other: yes(),
      constructor: yes(),
    });
    expect(Object.keys(second.requests)).toEqual(["elicit-2"]);
    expect([...second.state.answered.keys()]).toEqual(["elicit-1"]);
  });

  test("repeat an input request that changed, without its old answer", async () => {
    const confirmDelete =
      (count: number) =>
      (asker: ClientRequester): Promise<unknown> =>
        asker.requestFromClient(form(`Delete ${count} files?`), signal);
    const first = await round(confirmDelete(3), INITIAL_STATE, {});
    const second = await round(confirmDelete(300), first.state, { "elicit-1": yes() });
    expect(second.result).toBeUndefined();
    expect(second.requests["elicit-1"]).toMatchObject({ params: { message: "Delete 300 files?" } });
    expect((await round(confirmDelete(300), second.state, { "elicit-1": yes() })).result).toEqual(yes());
  });

  test("never accept an answer of an earlier round for another request", async () => {
    const twoQuestions =
      (message: string) =>
      async (asker: ClientRequester): Promise<unknown> => [
        await asker.requestFromClient(form(message), signal),
        await asker.requestFromClient(form("then?"), signal),
      ];
    const first = await round(twoQuestions("A?"), INITIAL_STATE, {});
    const second = await round(twoQuestions("A?"), first.state, { "elicit-1": yes() });
    const third = await round(twoQuestions("B?"), second.state, { "elicit-2": yes() });
    expect(Object.keys(third.requests)).toEqual(["elicit-1"]);
  });

  test("ignore the order of a request's keys", async () => {
    const { params, ...rest } = form("Sure?");
    const turned = { ...rest, params: Object.fromEntries(Object.entries(params).reverse()) };
    const first = await round((asker) => asker.requestFromClient(form("Sure?"), signal), INITIAL_STATE, {});
    expect((await round((asker) => asker.requestFromClient(turned, signal), first.state, { "elicit-1": yes() })).result).toEqual(yes());
  });

  test("MRTR-21 accept no answer without a state", async () => {
    const ahead = await round(twoInTurn, INITIAL_STATE, { "elicit-1": yes({ a: 1 }), "elicit-2": yes(), x: yes() });
    expect([ahead.result, Object.keys(ahead.requests)]).toEqual([undefined, ["elicit-1"]]);
  });
});

describe("refuses an impossible input request", () => {
  test.each<[title: string, question: ClientRequest, capabilities: Json]>([
    ["MRTR-06 a form without forms", form("?"), { elicitation: { url: {} }, sampling: {}, roots: {} }],
    ["MRTR-06 a form without anything", form("?"), {}],
    ["MRTR-06 the model", model("?"), { elicitation: {} }],
    ["MRTR-06 folders", folders, { elicitation: {}, sampling: {} }],
    ["MRTR-06 a page", { method: "elicitation/create", params: { mode: "url" }, requires: "elicit.url" }, { elicitation: { form: {} } }],
  ])("META-12 of %s without recording it", async (_title, question, capabilities) => {
    const replay = new InputRequests({ revision, client: clientWith(capabilities), state: INITIAL_STATE, responses: new Map() });
    await expect(replay.requestFromClient(question)).rejects.toMatchObject({ code: -32021, kind: "capability" });
    expect(replay.hasPending).toBe(false);
  });

  test("MRTR-05 with a different one under the same key", async () => {
    const replay = new InputRequests({ revision, client: clientWith(ABLE), state: INITIAL_STATE, responses: new Map() });
    await expect(replay.requestFromClient(form("a?", "k"))).rejects.toThrow(Suspended);
    await expect(replay.requestFromClient(form("b?", "k"))).rejects.toThrow('Duplicate client request key "k"');
    // The same one twice is one question.
    await expect(replay.requestFromClient(form("a?", "k"))).rejects.toThrow(Suspended);
    expect(Object.keys(replay.pending)).toEqual(["k"]);
  });

  test.each([{}, { action: "perhaps" }, { action: 7 }, { content: {} }])("MRTR-20 rejects %j as the answer of a form", async (answer) => {
    const first = await round((asker) => asker.requestFromClient(form("?"), signal), INITIAL_STATE, {});
    const again = round((asker) => asker.requestFromClient(form("?"), signal), first.state, { "elicit-1": answer });
    await expect(again).rejects.toMatchObject({ code: -32602, message: expect.stringContaining("elicit-1") });
  });

  test("MRTR-20 reports an invalid answer even while another answer is missing", async () => {
    const both = (asker: ClientRequester): Promise<unknown> =>
      Promise.allSettled([asker.requestFromClient(form("a?"), signal), asker.requestFromClient(form("b?"), signal)]);
    const first = await round(both, INITIAL_STATE, {});
    for (const bad of ["elicit-1", "elicit-2"]) {
      const again = round(both, first.state, { [bad]: { action: "yes" } });
      await expect(again).rejects.toMatchObject({ code: -32602, message: expect.stringContaining(bad) });
    }
  });
});

test("keeps a recorded answer and puts it into the next state", async () => {
  const kept = new Map<string, unknown>([["price", 7]]);
  const replay = new InputRequests({
    revision,
    client: clientWith(ABLE),
    state: { ...INITIAL_STATE, onceValues: kept },
    responses: new Map(),
  });
  expect(replay.onceValues.get("price")).toBe(7);
  replay.onceValues.set("more", [1]);
  expect(replay.nextState.onceValues).toEqual(
    new Map<string, unknown>([
      ["price", 7],
      ["more", [1]],
    ]),
  );
  expect(kept.size).toBe(1);
});
