// Runs a handler in both eras of the protocol: in a session, where it waits for the client's answers, and statelessly, where it
// runs again from its start with each answer. The two runs must have the same result, the same requests and the same effects.
import type { Roots } from "@oarlock/client";
import { linkMemory, type Server } from "@oarlock/server-kit";
import { findRevision, isObject, NEWEST_HANDSHAKE, REVISIONS, type Json } from "@oarlock/server-kit/protocol";
import { expect } from "vitest";
import { connectTo, type TestConnection } from "./connect-to.ts";
import { MultiRoundTripClient } from "./multi-round-trip.ts";
import { scriptUser, type ScriptedReply } from "./scripted-user.ts";

/** A server for one of the two runs, and the effects that its handlers have. */
export interface HandlerStage {
  server: Server;
  /** A list that handlers push to, or a function that reads the affected state. Read when the request has its response. */
  effects: readonly unknown[] | (() => unknown);
  /** Replaces parts of the response's JSON that differ with each run, such as the hash of a commit with the time in it. */
  masked?(response: string): string;
}

/** A request: a tool with its arguments, a prompt with its arguments, or the URI of a resource. */
export type HandlerRequest = { call: string; args?: Json } | { prompt: string; args?: Record<string, string> } | { read: string };

export interface ClientScript {
  /** The replies of the user and the model, in the order of the server's requests. */
  replies?: readonly ScriptedReply[];
  /** The roots of the client; without them the client declares no roots. */
  roots?: Roots;
}

/** The outcome that both runs have in common. */
export interface BothErasOutcome {
  /** The result, or the error of a request that failed. In the shape of the handshake era. */
  answer: { result: Json } | { error: Json };
  effects: unknown;
  /** Method and params of each request to the client, in order. */
  requests: readonly Json[];
  /** How often the stateless client repeated the request with answers. */
  roundTrips: number;
}

/**
 * Sends one request in a session and one statelessly, with the same client replies, each to a server of its own. Throws when
 * responses, requests to the client or effects differ, when a scripted reply is missing or left over, and after 20 round trips.
 * A handler that has an effect before its last request to the client is detected: the stateless run repeats the effect. The rule
 * for handlers is: look, ask, then act.
 * @example
 * const stage = () => {
 *   const removed: string[] = [];
 *   return { server: defineServer({ name: "x", version: "1", tools: [removeTool(removed)] }), effects: removed };
 * };
 * const { effects } = await runInBothEras(stage, { call: "remove", args: { path: "a" } }, { replies: [accept({ sure: true })] });
 * expect(effects).toEqual(["a"]);
 */
export async function runInBothEras(
  stage: () => HandlerStage | Promise<HandlerStage>,
  request: HandlerRequest,
  script: ClientScript = {},
): Promise<BothErasOutcome> {
  const [method, params] = methodAndParams(request);
  const session = await runInSession(await stage(), method, params, script);
  const stateless = await runStateless(await stage(), method, params, session);
  expect(stateless.answer, `${method}: the stateless response differs from the response in a session`).toEqual(session.answer);
  expect(
    stateless.effects,
    `${method}: the stateless run repeats effects. The handler runs again after each response of the client: change state only after the last client request`,
  ).toEqual(session.effects);
  return {
    answer: session.answer,
    effects: session.effects,
    requests: session.exchanges.map(({ request }) => request),
    roundTrips: stateless.roundTrips,
  };
}

function methodAndParams(request: HandlerRequest): [method: string, params: Json] {
  if ("call" in request) return ["tools/call", { name: request.call, arguments: request.args ?? {} }];
  if ("prompt" in request) return ["prompts/get", { name: request.prompt, arguments: request.args ?? {} }];
  return ["resources/read", { uri: request.read }];
}

interface Run {
  answer: BothErasOutcome["answer"];
  effects: unknown;
}

interface SessionRun extends Run {
  capabilities: Json;
  /** Requests to the client with its answers, in the order of the requests. */
  exchanges: { request: Json; answer: Json }[];
}

async function runInSession(
  { server, effects, masked }: HandlerStage,
  method: string,
  params: Json,
  { replies = [], roots }: ClientScript,
): Promise<SessionRun> {
  const user = scriptUser(replies);
  const connection = await connectTo(server, {
    revision: NEWEST_HANDSHAKE,
    ...user.handlers,
    sampleTools: true,
    ...(roots !== undefined && { roots }),
  });
  try {
    await connection.client.request(method, params).catch(() => undefined); // the log has the response as it was sent
    user.done();
    return readSessionRun(connection, method, { effects: await readEffects(effects), masked });
  } finally {
    await connection[Symbol.asyncDispose]();
  }
}

function readSessionRun(
  connection: TestConnection,
  method: string,
  { effects, masked }: { effects: unknown; masked: HandlerStage["masked"] },
): SessionRun {
  const sent = connection.messages("sent").filter(isObject);
  const received = connection.messages("received").filter(isObject);
  const [initialize] = sent;
  const id = sent.find((message) => message.method === method)?.id;
  const response = received.find((message) => message.id === id && message.method === undefined);
  if (response === undefined) throw new Error(`${method} got no response`);
  const requests = received.filter((message) => message.method !== undefined && message.id !== undefined);
  return {
    answer: toSessionShape(method, response, masked),
    effects,
    capabilities: isObject(initialize?.params) && isObject(initialize.params.capabilities) ? initialize.params.capabilities : {},
    exchanges: requests.map((request) => ({
      request: withoutSessionIds(request),
      answer: resultOf(sent.find((message) => message.id === request.id && message.method === undefined)),
    })),
  };
}

/** The result that the client answered with; stateless clients cannot answer with an error. */
function resultOf(answer: Json | undefined): Json {
  if (isObject(answer?.result)) return answer.result;
  throw new Error(
    `In the session the client answered with ${JSON.stringify(answer?.error ?? "nothing")}; a stateless client can only accept, decline or cancel`,
  );
}

async function runStateless(
  { server, effects, masked }: HandlerStage,
  method: string,
  params: Json,
  session: SessionRun,
): Promise<Run & { roundTrips: number }> {
  const client = new MultiRoundTripClient(linkMemory(server), { revision: REVISIONS[0] ?? "", capabilities: session.capabilities });
  const unused = [...session.exchanges];
  try {
    const response = await client.request(method, params, (inputRequest) => {
      const index = unused.findIndex(({ request }) => isEqual(request, inputRequest));
      const [exchange] = index === -1 ? [] : unused.splice(index, 1);
      if (exchange !== undefined) return exchange.answer;
      throw new Error(`${method}: the stateless run has a request that the session did not have: ${JSON.stringify(inputRequest)}`);
    });
    if (unused.length > 0)
      throw new Error(
        `${method}: the stateless run lacks requests that the session had: ${unused.map(({ request }) => JSON.stringify(request)).join(", ")}`,
      );
    return { answer: toSessionShape(method, response, masked), effects: await readEffects(effects), roundTrips: client.roundTrips };
  } finally {
    await client.close();
  }
}

const readEffects = async (effects: HandlerStage["effects"]): Promise<unknown> =>
  typeof effects === "function" ? await effects() : [...effects];

/** A request to the client without the ids that only sessions have. */
function withoutSessionIds({ method, params }: Json): Json {
  if (!isObject(params)) return { method };
  const { elicitationId: _id, ...rest } = params;
  return { method, params: rest };
}

const isEqual = (one: Json, other: Json): boolean => JSON.stringify(one) === JSON.stringify(other);

const RESOURCE_NOT_FOUND = -32002;
const INVALID_PARAMS = -32602;

/** A response in the shape of the handshake era, without references to log entries, which differ with each run. */
function toSessionShape(
  method: string,
  { result, error }: Json,
  masked: HandlerStage["masked"] = (response) => response,
): BothErasOutcome["answer"] {
  if (isObject(error)) {
    const isNotFound = error.code === RESOURCE_NOT_FOUND;
    return { error: maskRunDetails(isNotFound ? { ...error, code: INVALID_PARAMS } : error, masked) };
  }
  const { resultType: _type, _meta, ...rest } = isObject(result) ? result : {};
  const { "io.modelcontextprotocol/serverInfo": _info, ...meta } = isObject(_meta) ? _meta : {};
  const own = Object.keys(meta).length > 0 ? { ...rest, _meta: meta } : rest;
  return { result: maskRunDetails(findRevision(NEWEST_HANDSHAKE)?.encodeResult(method, own) ?? own, masked) };
}

const maskRunDetails = (value: Json, masked: (response: string) => string): Json =>
  JSON.parse(masked(JSON.stringify(value).replaceAll(/\(ref [0-9a-f]+\)/g, "(ref …)")));
