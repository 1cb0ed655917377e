// A client of Streamable HTTP in the handshake era, on bare sockets: a session, its headers, and answers as they come.
import { Agent, request, type ClientRequest } from "node:http";
import { expect } from "vitest";
import { NEWEST_HANDSHAKE, REVISIONS, type Json } from "../../src/protocol.ts";
import { Answer } from "./answer.ts";
import { note, request as requestOf } from "./sample.ts";

export type Headers = Record<string, string | undefined>;

export interface OpenRequest {
  readonly answer: Promise<Answer>;
  /** Leaves before the answer. */
  drop(): void;
}

/** Revisions whose clients tell the revision with every request. */
const TELLS = REVISIONS.slice(0, REVISIONS.indexOf("2025-03-26"));

/** What a client without a session sends; ends with the agent. */
export class HttpPeer implements Disposable {
  readonly url: string;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #headers: Headers;

  constructor(url: string, headers: Headers = {}) {
    this.url = url;
    this.#headers = headers;
  }

  /** Sends one request; headers that are undefined are left out. */
  begin(method: string, headers: Headers = {}, body?: unknown, path?: string): OpenRequest {
    const all: Headers = {
      accept: method === "GET" ? "text/event-stream" : "application/json, text/event-stream",
      ...(body !== undefined && { "content-type": "application/json" }),
      ...this.#headers,
      ...headers,
    };
    const given = Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined));
    const url = path === undefined ? this.url : new URL(path, this.url);
    let sent: ClientRequest | undefined;
    const answer = new Promise<Answer>((resolve, reject) => {
      sent = request(url, { method, headers: given, agent: this.#agent }, (message) => resolve(new Answer(message))).on("error", reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
    answer.catch(() => undefined); // whoever awaits it hears of it
    return { answer, drop: () => sent?.destroy() };
  }

  send(method: string, headers?: Headers, body?: unknown, path?: string): Promise<Answer> {
    return this.begin(method, headers, body, path).answer;
  }

  /** Closes all its sockets. */
  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}

export interface HttpTalkOptions {
  revision?: string;
  capabilities?: Json;
  token?: string;
  /** False leaves out `notifications/initialized`. */
  ready?: boolean;
}

export const initialize = (revision: string = NEWEST_HANDSHAKE, capabilities: Json = {}): Json =>
  requestOf("open", "initialize", { protocolVersion: revision, capabilities, clientInfo: { name: "talk", version: "0" } });

export const READY = note("notifications/initialized");

export class HttpTalk extends HttpPeer {
  /** The session's id. */
  readonly id: string;
  #ids = 0;

  private constructor(url: string, id: string, headers: Headers) {
    super(url, { "mcp-session-id": id, ...headers });
    this.id = id;
  }

  static async open(
    url: string,
    { revision = NEWEST_HANDSHAKE, capabilities, token, ready = true }: HttpTalkOptions = {},
  ): Promise<HttpTalk> {
    const authorization = token === undefined ? undefined : `Bearer ${token}`;
    using peer = new HttpPeer(url, { authorization });
    const answer = await peer.send("POST", {}, initialize(revision, capabilities));
    expect(await answer.json()).toMatchObject({ id: "open", result: { protocolVersion: revision } });
    const id = answer.headers["mcp-session-id"];
    if (typeof id !== "string") throw new Error("initialize gave no session");
    const talk = new HttpTalk(url, id, { authorization, ...(TELLS.includes(revision) && { "mcp-protocol-version": revision }) });
    if (ready) expect((await talk.post(READY)).status).toBe(202);
    return talk;
  }

  post(message: unknown, headers?: Headers): Promise<Answer> {
    return this.send("POST", headers, message);
  }

  /** The standing stream, or what follows the event that is named. */
  listen(lastEventId?: string, headers: Headers = {}): Promise<Answer> {
    return this.send("GET", { "last-event-id": lastEventId, ...headers });
  }

  end(headers?: Headers): Promise<Answer> {
    return this.send("DELETE", headers);
  }

  /** `tools/call` with a new id. */
  call(name: string, args: Json = {}, _meta?: Json): Promise<Answer> {
    return this.begin("POST", {}, this.calling(name, args, _meta)).answer;
  }

  calling(name: string, args: Json = {}, _meta?: Json): Json {
    return requestOf(++this.#ids, "tools/call", { name, arguments: args, ...(_meta !== undefined && { _meta }) });
  }

  /** The same for any method, and its result. */
  async result(method: string, params?: Json): Promise<unknown> {
    const answer = await this.post(requestOf(++this.#ids, method, params));
    return (await answer.json()).result;
  }
}

/** The text that a tool answered with. */
export function textOf(message: Json | undefined): string {
  const { result } = message as { result: { content: { text: string }[] } };
  return result.content[0]!.text;
}
