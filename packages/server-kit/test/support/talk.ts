// A conversation with a server in this process, message by message: what is sent is JSON, what comes back is kept.
import { linkMemory, type RuntimeOptions, type Server } from "../../src/index.ts";
import { isObject, NEWEST_HANDSHAKE, type Json, type Wire } from "../../src/protocol.ts";

/** Answers a question of the server; undefined leaves it open. An Error becomes an error answer. */
export type AnswerQuestion = (params: Json, id: unknown) => Json | Error | undefined;

export interface TalkOptions extends RuntimeOptions {
  revision?: string;
  capabilities?: Json;
  answers?: Record<string, AnswerQuestion>;
  /** False leaves out `notifications/initialized`. */
  ready?: boolean;
}

/** Everything that a client can declare. */
export const ABLE: Json = { roots: { listChanged: true }, sampling: { tools: {}, context: {} }, elicitation: { form: {}, url: {} } };

export class Talk implements AsyncDisposable {
  /** All that came from the server, parsed. */
  readonly received: Json[] = [];
  /** The answer to initialize. */
  greeting: Json = {};
  readonly #wire: Wire;
  readonly #answers: Record<string, AnswerQuestion>;
  readonly #watchers: (() => void)[] = [];
  #ids = 0;

  constructor(server: Server, { answers = {}, ...options }: TalkOptions = {}) {
    this.#answers = answers;
    this.#wire = linkMemory(server, options);
    this.#wire.onText = (text) => this.#take(text);
  }

  #take(text: string): void {
    if (text.includes("\n")) throw new Error(`a message of several lines: ${text}`);
    for (const message of [JSON.parse(text)].flat() as Json[]) {
      this.received.push(message);
      if (typeof message["method"] === "string" && message["id"] !== undefined) this.#asked(message["method"], message);
    }
    for (const watcher of this.#watchers.splice(0)) watcher();
  }

  #asked(method: string, { id, params }: Json): void {
    const answer = this.#answers[method]?.(isObject(params) ? params : {}, id);
    if (answer instanceof Error) this.send({ jsonrpc: "2.0", id, error: { code: -1, message: answer.message } });
    else if (answer !== undefined) this.send({ jsonrpc: "2.0", id, result: answer });
  }

  /** A message, or any text as it is. */
  send(message: Json | unknown[] | string): void {
    this.#wire.send(typeof message === "string" ? message : JSON.stringify(message));
  }

  note(method: string, params?: Json): void {
    this.send({ jsonrpc: "2.0", method, ...(params !== undefined && { params }) });
  }

  /** Sends a request and gives its id without waiting. */
  begin(method: string, params?: Json, id: string | number = `t${++this.#ids}`): string | number {
    this.send({ jsonrpc: "2.0", id, method, ...(params !== undefined && { params }) });
    return id;
  }

  /** The first message that fits, whether it came already or comes later. */
  async until(fits: (message: Json) => boolean, from = 0): Promise<Json> {
    for (;;) {
      const found = this.received.slice(from).find(fits);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => this.#watchers.push(resolve));
    }
  }

  /** The answer to a request that was begun. */
  answer(id: string | number): Promise<Json> {
    return this.until((message) => message["id"] === id && message["method"] === undefined);
  }

  /** Sends a request and waits for its answer. */
  request(method: string, params?: Json): Promise<Json> {
    return this.answer(this.begin(method, params));
  }

  /** Sends a request that must succeed. */
  async result(method: string, params?: Json): Promise<Json> {
    return this.#only("result", method, params);
  }

  /** Sends a request that must fail; gives the error. */
  async error(method: string, params?: Json): Promise<Json> {
    return this.#only("error", method, params);
  }

  async #only(part: "result" | "error", method: string, params: Json | undefined): Promise<Json> {
    const answer = await this.request(method, params);
    const given = answer[part];
    if (!isObject(given) || Object.keys(answer).length !== 3)
      throw new Error(`${method}: expected a ${part}, came ${JSON.stringify(answer)}`);
    return given;
  }

  call(name: string, args: Json = {}, _meta?: Json): Promise<Json> {
    return this.result("tools/call", { name, arguments: args, ...(_meta !== undefined && { _meta }) });
  }

  /** Calls a tool that answers with one text; gives the text. */
  async replyText(name: string, args: Json = {}, _meta?: Json): Promise<string> {
    const result = await this.call(name, args, _meta);
    const [block] = result["content"] as Json[];
    if (result["isError"] !== undefined || typeof block?.["text"] !== "string")
      throw new Error(`${name}: expected words, came ${JSON.stringify(result)}`);
    return block["text"];
  }

  /** Calls a tool that fails as a tool; gives the text that the model gets. */
  async failure(name: string, args: Json = {}): Promise<string> {
    const result = await this.call(name, args);
    if (result["isError"] !== true) throw new Error(`${name}: expected a failure, came ${JSON.stringify(result)}`);
    return (result["content"] as { text: string }[]).map(({ text }) => text).join("\n");
  }

  /** Params of the notifications or requests of this method that have come so far. */
  heard(method: string): Json[] {
    return this.received.filter((message) => message["method"] === method).map(({ params }) => (isObject(params) ? params : {}));
  }

  /** Resolves when everything that was sent has been taken and what it caused at once has come back. */
  async settled(): Promise<void> {
    await this.request("ping");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#wire.close();
  }
}

/**
 * A conversation after its handshake.
 * @example await using client = await talk(server, { revision: "2025-06-18" });
 */
export async function talk(server: Server, options: TalkOptions = {}): Promise<Talk> {
  const { revision = NEWEST_HANDSHAKE, capabilities = {}, ready = true, ...rest } = options;
  const client = new Talk(server, rest);
  const params = { protocolVersion: revision, capabilities, clientInfo: { name: "talk", version: "1" } };
  client.greeting = await client.result("initialize", params);
  if (ready) client.note("notifications/initialized");
  return client;
}
