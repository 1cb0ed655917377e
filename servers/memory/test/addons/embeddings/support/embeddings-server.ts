// An embeddings endpoint on loopback, with the faults of real ones.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { DIMENSIONS, embed } from "./text-embedding.ts";

export interface EmbeddingsRequest {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly model: string | undefined;
  readonly input: readonly string[];
}

/** Answers in place of the embedding; returns false to let it answer. */
export type Fault = (response: ServerResponse, request: EmbeddingsRequest) => boolean | Promise<boolean>;

export class EmbeddingsServer implements AsyncDisposable {
  /** In the order of their arrival. */
  readonly requests: EmbeddingsRequest[] = [];
  fault: Fault | undefined;
  dimensions: number = DIMENSIONS;
  #server: Server | undefined;
  #port = 0;

  /** The base of the API, as operators write it. */
  get address(): string {
    return `http://127.0.0.1:${this.#port}/v1`;
  }

  get inputs(): string[] {
    return this.requests.flatMap(({ input }) => input);
  }

  /** Listens, on the same port as before. */
  async start(port: number = this.#port): Promise<this> {
    const server = createServer((request, response) => void this.#answer(request, response));
    await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, "127.0.0.1", resolve));
    this.#server = server;
    this.#port = (server.address() as AddressInfo).port;
    return this;
  }

  /** Ends all connections. */
  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined) return;
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async #answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { model, input } = JSON.parse(await text(incoming)) as { model?: string; input: string | string[] };
    const request = { path: incoming.url ?? "", authorization: incoming.headers.authorization, model, input: [input].flat() };
    this.requests.push(request);
    if ((await this.fault?.(response, request)) === true) return;
    if (incoming.method !== "POST" || incoming.url !== "/v1/embeddings") return void response.writeHead(404).end();
    const data = request.input.map((input, index) => ({ object: "embedding", index, embedding: embed(input, this.dimensions) }));
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ object: "list", data, model: model ?? "test-embedding" }));
  }
}

/** Answers with a status. */
export const status =
  (code: number, headers: Readonly<Record<string, string>> = {}, body = ""): Fault =>
  (response) => {
    response.writeHead(code, headers).end(body);
    return true;
  };
