// Runs a handler that asks in both ways that the protocol has: once live, where it waits for its answers, and once in rounds,
// where it runs again from its start with each answer. What is not the same both ways is a fault of the handler.
import type { Roots } from "@oarlock/client";
import { linkMemory, type Server } from "@oarlock/server-kit";
import { findRevision, isObject, NEWEST_HANDSHAKE, REVISIONS, type Json } from "@oarlock/server-kit/protocol";
import { expect } from "vitest";
import { Rounds } from "./rounds.ts";
import { scriptPerson, type Line } from "./script-person.ts";
import { connectTo } from "./wire-up.ts";

/** A server of its own for each way, and what it does to its world. */
export interface Stage {
  server: Server;
  /** What handlers have done: a list that they push to, or a function that looks. Compared when the request has its answer. */
  effects: readonly unknown[] | (() => unknown);
  /** Words the JSON of an answer without what is of one run, as the hash of a commit, which has the second in which it was made. */
  masked?(answer: string): string;
}

/** The request: a tool and its arguments, a prompt and its arguments, or the address of a resource. */
export type Wish = { call: string; args?: Json } | { prompt: string; args?: Record<string, string> } | { read: string };

export interface Script {
  /** What the person and the model say, in the order in which they are asked. */
  lines?: readonly Line[];
  /** The client's folders; without them it has none, and cannot be asked for any. */
  roots?: Roots;
}

/** What was the same both ways. */
export interface Compared {
  /** The result, or the error of a request that failed; as sessions have it, without what only rounds put on it. */
  answer: { result: Json } | { error: Json };
  effects: unknown;
  /** Method and params of each question, in order. */
  asked: readonly Json[];
  /** How often the request was sent again with answers. */
  rounds: number;
}

/**
 * Sends one request live and in rounds, with the same answers, each to a stage of its own. Throws when its answer, its
 * questions or its effects differ, when a line of the script is left over or missing, and when there is no end of rounds
 * (20). A handler that does something before its last question is found so: in rounds it does it again. The rule for
 * handlers is: look, ask, then act.
 * @example
 * const stage = () => {
 *   const removed: string[] = [];
 *   return { server: defineServer({ name: "x", version: "1", tools: [removeTool(removed)] }), effects: removed };
 * };
 * const { answer, effects } = await bothWays(stage, { call: "remove", args: { path: "a" } }, { lines: [accept({ sure: true })] });
 * expect(effects).toEqual(["a"]);
 */
export async function bothWays(stage: () => Stage | Promise<Stage>, wish: Wish, script: Script = {}): Promise<Compared> {
  const [method, params] = requestOf(wish);
  const live = await runLive(await stage(), method, params, script);
  const replayed = await runInRounds(await stage(), method, params, live);
  expect(replayed.answer, `${method}: the answer in rounds is not the one given live`).toEqual(live.answer);
  expect(
    replayed.effects,
    `${method}: the effects in rounds are not those of one run. Look, ask, then act: what is done before the last question is done again with each round`,
  ).toEqual(live.effects);
  return { answer: live.answer, effects: live.effects, asked: live.asked.map(({ question }) => question), rounds: replayed.rounds };
}

function requestOf(wish: Wish): [method: string, params: Json] {
  if ("call" in wish) return ["tools/call", { name: wish.call, arguments: wish.args ?? {} }];
  if ("prompt" in wish) return ["prompts/get", { name: wish.prompt, arguments: wish.args ?? {} }];
  return ["resources/read", { uri: wish.read }];
}

interface Ran {
  answer: Compared["answer"];
  effects: unknown;
}

interface RanLive extends Ran {
  capabilities: Json;
  /** Questions and how the client answered them, in the order of the questions. */
  asked: { question: Json; answer: Json }[];
}

async function runLive({ server, effects, masked }: Stage, method: string, params: Json, { lines = [], roots }: Script): Promise<RanLive> {
  const person = scriptPerson(lines);
  const wired = await connectTo(server, {
    revision: NEWEST_HANDSHAKE,
    ...person.handlers,
    sampleTools: true,
    ...(roots !== undefined && { roots }),
  });
  try {
    await wired.client.request(method, params).catch(() => undefined); // its answer is in the log, as it came
    person.done();
    const sent = wired.messages("sent").filter(isObject);
    const received = wired.messages("received").filter(isObject);
    const [hello] = sent;
    const id = sent.find((message) => message.method === method)?.id;
    const answer = received.find((message) => message.id === id && message.method === undefined);
    if (answer === undefined) throw new Error(`${method} was not answered`);
    const asked = received.filter((message) => message.method !== undefined && message.id !== undefined);
    return {
      answer: answerOf(method, answer, masked),
      effects: await seen(effects),
      capabilities: isObject(hello?.params) && isObject(hello.params.capabilities) ? hello.params.capabilities : {},
      asked: asked.map((question) => ({
        question: bare(question),
        answer: given(sent.find((message) => message.id === question.id && message.method === undefined)),
      })),
    };
  } finally {
    await wired[Symbol.asyncDispose]();
  }
}

/** An answer of the client; one that is an error cannot be told in rounds. */
function given(answer: Json | undefined): Json {
  if (isObject(answer?.result)) return answer.result;
  throw new Error(
    `live, a question was answered with ${JSON.stringify(answer?.error ?? "nothing")}; in rounds a client can only decline or cancel`,
  );
}

async function runInRounds(
  { server, effects, masked }: Stage,
  method: string,
  params: Json,
  live: RanLive,
): Promise<Ran & { rounds: number }> {
  const rounds = new Rounds(linkMemory(server), { revision: REVISIONS[0] ?? "", capabilities: live.capabilities });
  const left = [...live.asked];
  try {
    const last = await rounds.run(method, params, (question) => {
      const at = left.findIndex((one) => same(one.question, question));
      const [found] = at === -1 ? [] : left.splice(at, 1);
      if (found !== undefined) return found.answer;
      throw new Error(`${method} asks in rounds what it did not ask live, or asks it twice: ${JSON.stringify(question)}`);
    });
    if (left.length > 0)
      throw new Error(
        `${method} does not ask in rounds what it asked live: ${left.map(({ question }) => JSON.stringify(question)).join(", ")}`,
      );
    return { answer: answerOf(method, last, masked), effects: await seen(effects), rounds: rounds.count };
  } finally {
    await rounds.close();
  }
}

const seen = async (effects: Stage["effects"]): Promise<unknown> => (typeof effects === "function" ? await effects() : [...effects]);

/** A question without what only sessions give it: an id, also for pages. */
function bare({ method, params }: Json): Json {
  if (!isObject(params)) return { method };
  const { elicitationId: _id, ...rest } = params;
  return { method, params: rest };
}

const same = (one: Json, other: Json): boolean => JSON.stringify(one) === JSON.stringify(other);

const RESOURCE_NOT_FOUND_BEFORE = -32002;
const INVALID_PARAMS = -32602;

/** What a client makes of an answer, in the words of sessions; references to the server's log are of one run. */
function answerOf(method: string, { result, error }: Json, masked: Stage["masked"] = (answer) => answer): Compared["answer"] {
  if (isObject(error))
    return { error: ofAnyRun(error.code === RESOURCE_NOT_FOUND_BEFORE ? { ...error, code: INVALID_PARAMS } : error, masked) };
  const { resultType: _type, _meta, ...rest } = isObject(result) ? result : {};
  const { "io.modelcontextprotocol/serverInfo": _info, ...meta } = isObject(_meta) ? _meta : {};
  const own = Object.keys(meta).length > 0 ? { ...rest, _meta: meta } : rest;
  return { result: ofAnyRun(findRevision(NEWEST_HANDSHAKE)?.result(method, own) ?? own, masked) };
}

const ofAnyRun = (value: Json, masked: (answer: string) => string): Json =>
  JSON.parse(masked(JSON.stringify(value).replaceAll(/\(ref [0-9a-f]+\)/g, "(ref …)")));
