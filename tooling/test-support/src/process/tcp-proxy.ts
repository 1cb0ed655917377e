/** A TCP proxy that delays or breaks connections on command, as between a client and a server or a node and its engine. */
import { connect, createServer, type Server, type Socket } from "node:net";
import { closeServer, listenOn, portOf } from "./loopback.ts";

/** `to-server` holds what clients send, `to-client` what the server sends. */
export type HeldDirection = "both" | "to-server" | "to-client";

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
}

export class TcpProxy implements AsyncDisposable {
  readonly #server: Server;
  readonly #pairs = new Set<Pair>();
  #stopped: HeldDirection | undefined;
  #isCut = false;

  private constructor({ hostname, port }: URL) {
    this.#server = createServer((client) => {
      if (this.#isCut) {
        client.resetAndDestroy();
        return;
      }
      this.#join({ client, server: connect(Number(port), hostname) });
    });
  }

  /** Starts a proxy on a free port of loopback to the host and port of a URL. */
  static async start(to: URL | string): Promise<TcpProxy> {
    const proxy = new TcpProxy(new URL(to));
    await listenOn(proxy.#server);
    return proxy;
  }

  get port(): number {
    return portOf(this.#server);
  }

  /** The same address by way of the proxy. */
  through(url: URL | string): URL {
    const own = new URL(url);
    own.hostname = "127.0.0.1";
    own.port = String(this.port);
    return own;
  }

  /** Keeps connections open and passes nothing on in this direction, as on a partition of the network. Data is kept until `heal`. */
  hold(direction: HeldDirection = "both"): void {
    this.#stopped = direction;
    for (const pair of this.#pairs) this.#apply(pair);
  }

  /** Breaks all connections and refuses new ones. */
  cut(): void {
    this.#isCut = true;
    for (const { client, server } of this.#pairs) {
      client.resetAndDestroy();
      server.destroy();
    }
  }

  /** Breaks all connections; new ones are passed on. */
  interrupt(): void {
    this.cut();
    this.#isCut = false;
  }

  /** Ends `hold` and `cut`. */
  heal(): void {
    this.#isCut = false;
    this.#stopped = undefined;
    for (const pair of this.#pairs) this.#apply(pair);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    await closeServer(this.#server);
  }

  #join(pair: Pair): void {
    this.#pairs.add(pair);
    const { client, server } = pair;
    const end = (): void => {
      this.#pairs.delete(pair);
      client.destroy();
      server.destroy();
    };
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      from.setNoDelay(true);
      from.on("error", end).on("close", end);
      from.on("data", (chunk: Buffer) => {
        // A slow receiver slows the sender down.
        if (!to.write(chunk) && !this.#isHeld(pair, from)) from.pause();
      });
      to.on("drain", () => {
        if (!this.#isHeld(pair, from)) from.resume();
      });
    }
    this.#apply(pair);
  }

  #isHeld({ client }: Pair, from: Socket): boolean {
    if (this.#stopped === undefined) return false;
    return this.#stopped === "both" || this.#stopped === (from === client ? "to-server" : "to-client");
  }

  #apply(pair: Pair): void {
    for (const from of [pair.client, pair.server]) {
      if (this.#isHeld(pair, from)) from.pause();
      else from.resume();
    }
  }
}
