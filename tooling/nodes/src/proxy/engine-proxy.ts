/** A TCP proxy between a node and its engine that delays or breaks the connection on command. */
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";

/** `to-engine` holds what the node sends, `to-node` what the engine sends. */
export type HeldDirection = "both" | "to-engine" | "to-node";

interface Pair {
  readonly node: Socket;
  readonly engine: Socket;
}

export class EngineProxy implements AsyncDisposable {
  readonly #server: Server;
  readonly #pairs = new Set<Pair>();
  #stopped: HeldDirection | undefined;
  #isCut = false;

  private constructor(target: { host: string; port: number }) {
    this.#server = createServer((node) => {
      if (this.#isCut) {
        node.resetAndDestroy();
        return;
      }
      this.#join({ node, engine: connect(target.port, target.host) });
    });
  }

  /** Starts a proxy on a free port of loopback. */
  static async start(target: { host: string; port: number }): Promise<EngineProxy> {
    const proxy = new EngineProxy(target);
    await new Promise<void>((resolve) => proxy.#server.listen(0, "127.0.0.1", resolve));
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port; // a TCP server that listens has one
  }

  /** Keeps connections open and passes nothing on in this direction, as on a partition of the network. Data is kept until `heal`. */
  hold(direction: HeldDirection = "both"): void {
    this.#stopped = direction;
    for (const pair of this.#pairs) this.#apply(pair);
  }

  /** Breaks all connections and refuses new ones. */
  cut(): void {
    this.#isCut = true;
    for (const { node, engine } of this.#pairs) {
      node.resetAndDestroy();
      engine.destroy();
    }
  }

  /** Ends `hold` and `cut`. */
  heal(): void {
    this.#isCut = false;
    this.#stopped = undefined;
    for (const pair of this.#pairs) this.#apply(pair);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #join(pair: Pair): void {
    this.#pairs.add(pair);
    const { node, engine } = pair;
    const end = (): void => {
      this.#pairs.delete(pair);
      node.destroy();
      engine.destroy();
    };
    for (const [from, to] of [
      [node, engine],
      [engine, node],
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

  #isHeld({ node }: Pair, from: Socket): boolean {
    if (this.#stopped === undefined) return false;
    return this.#stopped === "both" || this.#stopped === (from === node ? "to-engine" : "to-node");
  }

  #apply(pair: Pair): void {
    for (const from of [pair.node, pair.engine]) {
      if (this.#isHeld(pair, from)) from.pause();
      else from.resume();
    }
  }
}
