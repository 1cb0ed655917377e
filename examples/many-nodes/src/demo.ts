/** The example: an engine, three nodes, the load balancer with the page on it, and the two clients. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { missingValkey, startPostgres, startValkey, type Engine } from "@oarlock-tooling/engines";
import { Cluster } from "@oarlock-tooling/nodes/cluster";
import { Random } from "@oarlock-tooling/nodes/random";
import { CALLERS, callAgainAndAgain, type CallReport } from "./callers.ts";

const NODES = 3;
/** How long the button suspends the engine. */
const PAUSE_MS = 5000;
const KEPT_CALLS = 500;

const program = fileURLToPath(new URL("server.ts", import.meta.url));
const page = readFileSync(new URL("page.html", import.meta.url));

export class Demo implements AsyncDisposable {
  readonly calls: CallReport[] = [];
  readonly engineName: string;
  readonly #engine: Engine;
  readonly #ending = new AbortController();
  readonly #pages = new Set<ServerResponse>();
  #cluster: Cluster | undefined;
  #callers: Promise<unknown> = Promise.resolve();

  private constructor(engineName: string, engine: Engine) {
    this.engineName = engineName;
    this.#engine = engine;
  }

  /** Valkey where it can be had, otherwise PostgreSQL. `port` 0 takes a free one. */
  static async start(port: number): Promise<Demo> {
    const reason = await missingValkey({ own: true });
    const demo =
      reason === undefined
        ? new Demo("Valkey", await startValkey({ own: true }))
        : new Demo("PostgreSQL", await startPostgres({ own: true }));
    try {
      await demo.#start(port);
    } catch (error) {
      await demo[Symbol.asyncDispose]();
      throw error;
    }
    return demo;
  }

  /** Address of the page. The endpoint of the servers is `/mcp` there. */
  get origin(): string {
    return this.cluster.balancer.origin;
  }

  get cluster(): Cluster {
    if (this.#cluster === undefined) throw new Error("The example has not started.");
    return this.#cluster;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort();
    await this.#callers;
    await this.#cluster?.[Symbol.asyncDispose]();
    await this.#engine.stop();
  }

  async #start(port: number): Promise<void> {
    this.#cluster = await Cluster.start({
      ...{ nodes: NODES, mode: "random", random: new Random(Date.now()), engineUrl: this.#engine.url, port },
      program: (_folders, node) => ({
        command: process.execPath,
        args: ["--conditions=oarlock-source", program],
        env: { NODE_NAME: node },
      }),
      serve: (request, response) => this.#serve(request, response),
    });
    const { url } = this.#cluster;
    this.#callers = Promise.all(CALLERS.map((caller) => callAgainAndAgain(caller, url, (call) => this.#report(call), this.#ending.signal)));
  }

  #report(call: CallReport): void {
    this.calls.push(call);
    if (this.calls.length > KEPT_CALLS) this.calls.shift();
    this.#send("call", call);
  }

  /** Sends an event to all open pages. */
  #send(event: string, data: unknown): void {
    for (const response of this.#pages) response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  #sendNodes(): void {
    const { names, running } = this.cluster;
    this.#send("nodes", { engine: this.engineName, nodes: names.map((name) => ({ name, isRunning: running.includes(name) })) });
  }

  /** Answers requests for the page; those for the servers go on to the nodes. */
  #serve(request: IncomingMessage, response: ServerResponse): boolean {
    const { method, url = "/", headers } = request;
    if (url === "/") response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(page);
    else if (url === "/events") {
      response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
      this.#pages.add(response);
      response.once("close", () => this.#pages.delete(response));
      this.#sendNodes();
    } else if (url.startsWith("/control/")) {
      // Pages of other origins must not press the buttons.
      const isAllowed = method === "POST" && (headers.origin === undefined || headers.origin === `http://${headers.host}`);
      if (isAllowed) void this.#control(url.split("/").slice(2)).then((status) => response.writeHead(status).end());
      else response.writeHead(403).end();
    } else return false;
    return true;
  }

  async #control([action, node = ""]: readonly string[]): Promise<number> {
    const { cluster } = this;
    if (action === "pause-engine") {
      await this.#engine.pause();
      setTimeout(() => void this.#engine.resume(), PAUSE_MS);
      return 204;
    }
    if (!cluster.names.includes(node)) return 404;
    const isRunning = cluster.running.includes(node);
    if (action === "kill" && isRunning) await cluster.kill(node);
    else if (action === "drain" && isRunning) await cluster.drain(node);
    else if (action === "start" && !isRunning) await cluster.restart(node);
    else return 409;
    this.#sendNodes();
    return 204;
  }
}
