/** An HTTP load balancer: passes each request to one of several nodes and streams the response back without buffering. */
import {
  Agent,
  createServer,
  request as sendRequest,
  type ClientRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { closeServer, listenOn, portOf } from "@oarlock-tooling/test-support/loopback";
import { Random } from "../random.ts";

/** `moving`: another node at each request of a session, or of a client connection. */
export const BALANCER_MODES = ["random", "round-robin", "moving"] as const;
export type BalancerMode = (typeof BALANCER_MODES)[number];

export interface BackendNode {
  readonly name: string;
  readonly port: number;
}

export interface BalancerOptions {
  mode?: BalancerMode;
  random?: Random;
  /** Port to listen on. Default 0: a free one. */
  port?: number;
  /** Answers requests that are not for the nodes; true when it has. */
  serve?(request: IncomingMessage, response: ServerResponse): boolean;
}

/** The response header with the name of the node that answered. */
export const NODE_HEADER = "x-node";

/** How long a node without a listener gets no requests. */
const DEAD_MS = 500;

interface ProxiedRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly refused: Set<BackendNode>;
}

export class Balancer implements AsyncDisposable {
  readonly #server: Server;
  readonly #agent: Agent;
  readonly #mode: BalancerMode;
  readonly #random: Random;
  readonly #serve: BalancerOptions["serve"];
  readonly #nodes: BackendNode[] = [];
  /** When nodes that refused a connection are tried again. */
  readonly #deadUntil = new Map<BackendNode, number>();
  /** The last node of each session, in the mode `moving`. */
  readonly #lastNodes = new Map<string, string>();
  readonly #streams = new Set<ServerResponse>();
  #turn = 0;

  private constructor({ mode = "random", random = new Random(1), serve }: BalancerOptions) {
    this.#mode = mode;
    this.#random = random;
    this.#serve = serve;
    // Each request has a connection of its own, so that none meets one that its node is about to close.
    this.#agent = new Agent({ keepAlive: false, timeout: 4000 });
    this.#server = createServer({ requestTimeout: 0, keepAliveTimeout: 60_000 }, (request, response) => {
      if (this.#serve?.(request, response) === true) return;
      this.#pass({ request, response, refused: new Set() });
    });
  }

  static async start(options: BalancerOptions = {}): Promise<Balancer> {
    const balancer = new Balancer(options);
    await listenOn(balancer.#server, options.port);
    return balancer;
  }

  get origin(): string {
    return `http://127.0.0.1:${portOf(this.#server)}`;
  }

  get url(): string {
    return `${this.origin}/mcp`;
  }

  add(node: BackendNode): void {
    this.#nodes.push(node);
  }

  /** Sends no new requests to this node; those in flight go on. */
  remove(name: string): void {
    const at = this.#nodes.findIndex((node) => node.name === name);
    if (at !== -1) this.#nodes.splice(at, 1);
  }

  /** Breaks event streams to clients, each with this probability. Returns how many. */
  breakStreams(probability: number): number {
    const broken = [...this.#streams].filter(() => this.#random.next() < probability);
    for (const response of broken) response.socket?.resetAndDestroy();
    return broken.length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#agent.destroy();
    await closeServer(this.#server);
  }

  #pass(exchange: ProxiedRequest): void {
    const { request, response, refused } = exchange;
    const node = this.#choose(request, refused);
    if (node === undefined) {
      response.writeHead(502, { "content-type": "text/plain" }).end("No node accepts connections.\n");
      return;
    }
    const { method, url, rawHeaders } = request;
    const upstream = sendRequest({ host: "127.0.0.1", port: node.port, method, path: url, headers: rawHeaders, agent: this.#agent });
    const onGone = (): void => void upstream.destroy();
    response.once("close", onGone);
    upstream.once("socket", (socket) => {
      // The body leaves once a node is connected: until then another one can have it.
      if (socket.connecting) socket.once("connect", () => request.pipe(upstream));
      else request.pipe(upstream);
    });
    upstream.once("response", (answer) => this.#respond(exchange, node, answer));
    upstream.on("error", (error) => {
      response.off("close", onGone);
      if (isConnectRefused(error, upstream)) {
        this.#deadUntil.set(node, performance.now() + DEAD_MS);
        refused.add(node);
        this.#pass(exchange);
      } else response.socket?.resetAndDestroy(); // the request may have taken effect: only the client can decide what to do
    });
  }

  #respond({ response, request }: ProxiedRequest, node: BackendNode, answer: IncomingMessage): void {
    response.writeHead(answer.statusCode ?? 502, [...answer.rawHeaders, NODE_HEADER, node.name]);
    if (answer.headers["content-type"]?.startsWith("text/event-stream") === true) {
      this.#streams.add(response);
      response.once("close", () => this.#streams.delete(response));
      response.flushHeaders();
    }
    const { "mcp-session-id": session } = request.headers;
    if (request.method === "DELETE" && typeof session === "string") this.#lastNodes.delete(session);
    answer.on("error", () => response.socket?.resetAndDestroy());
    answer.pipe(response);
  }

  #choose(request: IncomingMessage, refused: ReadonlySet<BackendNode>): BackendNode | undefined {
    const now = performance.now();
    const possible = this.#nodes.filter((node) => !refused.has(node));
    const living = possible.filter((node) => (this.#deadUntil.get(node) ?? 0) <= now);
    const nodes = living.length > 0 ? living : possible;
    if (nodes.length === 0) return undefined;
    if (this.#mode === "random") return this.#random.pick(nodes);
    if (this.#mode === "round-robin") return nodes[this.#turn++ % nodes.length];
    const { "mcp-session-id": session } = request.headers;
    const key = typeof session === "string" ? session : `${request.socket.remotePort}`;
    const others = nodes.filter(({ name }) => name !== this.#lastNodes.get(key));
    const node = this.#random.pick(others.length > 0 ? others : nodes);
    this.#lastNodes.set(key, node.name);
    return node;
  }
}

/** Whether the node has got nothing of the request. */
const isConnectRefused = (error: NodeJS.ErrnoException, { reusedSocket }: ClientRequest): boolean =>
  error.code === "ECONNREFUSED" && !reusedSocket;
