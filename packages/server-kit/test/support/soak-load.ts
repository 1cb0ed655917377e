// Mixed load with faults on one connection: everything that a client may send, well or badly, and a count of what is answered.
import { expect } from "vitest";
import type { Json } from "../../src/protocol.ts";
import { KINDS_OF_NONSENSE, KINDS_OF_THROWS } from "../fixtures/sample-faults.ts";
import { cancel, note, request, result, words } from "./sample.ts";
import { ABLE } from "./talk.ts";

/** The longest message that the server under load takes; its other limits are as short as the faults need. */
export const LIMITS = {
  messageBytes: 64 * 1024,
  timeoutMs: 300,
  clientRequestMs: 200,
  concurrency: 64,
  callsPerSecond: 1e9,
  resultBytes: 32 * 1024,
};

/** Sends a line, or several in one piece. */
type Send = (lines: string | Uint8Array) => void;
type Act = (load: SoakLoad, turn: number) => Promise<void>;

export class SoakLoad {
  /** Requests that were answered. */
  answered = 0;
  /** Unexpected answers: second ones, and those to cancelled requests. */
  readonly strays: Json[] = [];
  readonly #send: Send;
  readonly #open = new Map<unknown, (answer: Json) => void>();
  #ids = 0;
  #questions = 0;
  /** Invalid lines are answered without an id: how many of these answers are still to come. */
  #refusals = 0;

  constructor(send: Send) {
    this.#send = send;
  }

  /** Requests without an answer yet, and refusals that are due. */
  get due(): number {
    return this.#open.size + this.#refusals;
  }

  take(line: string): void {
    const message = JSON.parse(line) as Json;
    if (message.method !== undefined) return message.id === undefined ? undefined : this.#asked(message);
    if (message.id === null) this.#refusals--;
    const answer = this.#open.get(message.id);
    this.#open.delete(message.id);
    if (answer !== undefined) answer(message);
    else if (message.id !== null) this.strays.push(message);
  }

  /** The user accepts, declines or cancels, the client cannot ask them, or no response comes. */
  #asked({ id }: Json): void {
    const error = { code: -1, message: "no user is here" };
    const answers = [{ action: "accept", content: {} }, { action: "decline" }, { action: "cancel" }, error, undefined];
    const replyText = answers[this.#questions++ % answers.length];
    if (replyText === error) this.say({ jsonrpc: "2.0", id, error });
    else if (replyText !== undefined) this.say(result(id, replyText));
  }

  /** Several messages go in one piece. */
  say(...messages: Json[]): void {
    this.#send(messages.map((message) => JSON.stringify(message)).join("\n"));
  }

  /** Sends an invalid line; it is answered without an id. */
  spoil(line: string | Uint8Array): void {
    this.#refusals++;
    this.#send(line);
  }

  /** A request and its answer. */
  request(method: string, params?: Json, id: unknown = ++this.#ids): Promise<Json> {
    return new Promise((resolve) => {
      this.#open.set(id, (answer) => (this.answered++, resolve(answer)));
      this.say(request(id, method, params));
    });
  }

  call(name: string, args: Json = {}, _meta?: Json): Promise<Json> {
    return this.request("tools/call", { name, arguments: args, ...(_meta !== undefined && { _meta }) });
  }

  /** A call, and with it another request with its id, which would be right when the call has ended. */
  callTwice(name: string, args: Json, id: string): Promise<Json> {
    return new Promise((resolve) => {
      this.#open.set(id, (answer) => (this.answered++, resolve(answer)));
      this.#refusals++;
      this.say(request(id, "tools/call", { name, arguments: args }), request(id, "ping"));
    });
  }

  /** A call that is cancelled before it can end; it must stay without an answer. */
  cancelCall(name: string, args: Json = {}): void {
    const id = ++this.#ids;
    this.say(request(id, "tools/call", { name, arguments: args }), cancel(id));
  }

  async open(): Promise<void> {
    await this.request("initialize", { protocolVersion: "2025-11-25", capabilities: ABLE, clientInfo: { name: "soak", version: "1" } });
    this.say(note("notifications/initialized"));
  }

  /** Clients that do one thing after the other, each beginning with another one, until `goOn` returns false. */
  async run(clients: number, goOn: (turn: number) => boolean): Promise<void> {
    const client = async (from: number): Promise<void> => {
      for (let turn = from; goOn(turn - from); turn++) await ACTS[turn % ACTS.length]?.(this, turn);
    };
    await Promise.all(Array.from({ length: clients }, (_, at) => client(at)));
    await this.request("ping");
    await expect.poll(() => this.due, { timeout: 20_000 }).toBe(0);
  }

  /** Work that fills all places but one leaves room for another request, so none is taken by work that has gone. */
  async hasAllPlaces(): Promise<void> {
    const ids = Array.from({ length: LIMITS.concurrency - 1 }, () => ++this.#ids);
    for (const id of ids) this.say(request(id, "tools/call", { name: "slow", arguments: {} }));
    expect((await this.call("echo", { message: "room" })).result).toEqual(words(0, "room").result);
    for (const id of ids) this.say(cancel(id));
    await this.request("ping");
  }
}

/** An act that is answered by such a result or error. */
const answered =
  (method: string, params: Json | undefined, expected: object): Act =>
  async (load) =>
    expect(await load.request(method, params)).toMatchObject(expected);
const called = (name: string, args: Json, expected: object = {}, _meta?: Json): Act =>
  answered("tools/call", { name, arguments: args, ...(_meta !== undefined && { _meta }) }, { result: expected });
const failed = { isError: true };
const texts = (kinds: readonly string[]): string[] => kinds.filter((kind) => !/huge|impossible/.test(kind));

export const ACTS: readonly Act[] = [
  answered("ping", undefined, { result: {} }),
  answered("tools/list", {}, { result: { tools: expect.any(Array) } }),
  answered("resources/list", {}, { result: {} }),
  answered("prompts/list", { cursor: "forged" }, { error: { code: -32602 } }),
  answered("resources/read", { uri: "sample:///items/alpha" }, { result: {} }),
  answered("resources/read", { uri: "sample://nowhere" }, { error: {} }),
  answered("prompts/get", { name: "greet", arguments: { who: "Ada" } }, { result: {} }),
  answered("prompts/get", { name: "fault" }, { error: { code: -32603 } }),
  answered("completion/complete", { ref: { type: "ref/prompt", name: "greet" }, argument: { name: "many", value: "x" } }, { result: {} }),
  answered("logging/setLevel", { level: "error" }, { result: {} }),
  answered("no/such/method", {}, { error: { code: -32601 } }),
  answered("tools/call", { name: "no such tool" }, { error: { code: -32602 } }),
  answered("tools/call", { name: 1 }, { error: { code: -32602 } }),
  called("echo", { message: "x".repeat(1000) }),
  called("echo", {}, failed),
  called("sum", { a: 1, b: 2, mode: "async" }, { structuredContent: { sum: 3 } }),
  called("mismatch", {}, failed),
  called("big", { bytes: 40_000 }, failed),
  called("hang", {}, failed),
  called("slow", { ms: 20 }),
  called("late", { ms: 5 }),
  called("log", { data: "x" }),
  called("progress", { later: true }, {}, { progressToken: "p" }),
  called("ask", {}),
  called("roots", {}),
  called("sample", {}),
  async (load, turn) => {
    const kinds = texts(KINDS_OF_NONSENSE);
    await load.call("nonsense", { what: kinds[turn % kinds.length], async: turn % 2 === 0 });
  },
  async (load, turn) => void (await load.call("throws", { what: KINDS_OF_THROWS[turn % KINDS_OF_THROWS.length], async: turn % 2 === 0 })),
  async (load) => {
    await load.request("resources/subscribe", { uri: "sample://text" });
    await load.call("touch", { uri: "sample://text", times: 3 });
    await load.request("resources/unsubscribe", { uri: "sample://text" });
  },
  async (load) => load.cancelCall("slow"),
  async (load) => load.cancelCall("ask"),
  async (load) => load.cancelCall("hang"),
  async (load, turn) => {
    await load.callTwice("slow", { ms: 5 }, `twice-${turn}-${Math.random()}`);
  },
  async (load) => {
    for (const line of ["{", "1", "null", "[]", '{"jsonrpc":"1.0","id":1,"method":"ping"}', "x".repeat(LIMITS.messageBytes + 1)])
      load.spoil(line);
  },
  async (load) => {
    load.say(cancel("never was"));
    load.say(note("notifications/cancelled"));
    load.say(note("notifications/no/such/thing"));
    load.say(result("never was", {}));
    load.say(note("notifications/roots/list_changed"));
  },
];
