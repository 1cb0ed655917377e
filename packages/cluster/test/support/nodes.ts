// Several nodes of one server over one backplane, each with handlers that the test controls.
import { MemoryBackplane, type Backplane } from "../../src/backplane.ts";
import { clusterWithin } from "../../src/cluster.ts";
import type { NodeTimes } from "../../src/node/node-times.ts";
import type { ServeHttpOptions } from "@oarlock/server-kit/node";
import { BackplaneLink } from "./backplane-link.ts";
import type { Answer } from "../../../server-kit/test/support/answer.ts";
import { HttpTalk, type Headers, type HttpTalkOptions } from "../../../server-kit/test/support/http-talk.ts";
import { startWorkshop, type Workshop } from "../../../server-kit/test/support/workshop.ts";

export interface WorkshopNode extends Workshop {
  readonly link: BackplaneLink;
}

/** Short times, for a test that sees a lease run out. The others take the usual ones: a busy machine would let these run out too. */
export const QUICK = { leaseMs: 600, renewMs: 100, goneMs: 500, lingerMs: 400, responseWaitMs: 300 };

/** How the nodes are served. */
export type NodesOptions = ServeHttpOptions & { readonly nodeTimes?: Partial<NodeTimes> };

/** Makes the connection of one more node to the same backplane. */
export type Connect = () => Promise<Backplane>;

const inMemory = (): Connect => {
  const world = new MemoryBackplane();
  return async () => world;
};

let newWorld: () => Connect = inMemory;

/** Lets the nodes of all tests in this file share another backplane than the one in memory. */
export function useWorld(make: () => Connect): void {
  newWorld = make;
}

/** How the nodes of one test connect to the backplane that they share. */
export const openWorld = (): Connect => newWorld();

export class Nodes implements AsyncDisposable {
  readonly all: readonly WorkshopNode[];
  readonly #worlds: readonly Backplane[];

  private constructor(all: readonly WorkshopNode[], worlds: readonly Backplane[]) {
    this.all = all;
    this.#worlds = worlds;
  }

  static async start(count: number, { nodeTimes = {}, ...options }: NodesOptions = {}, connect = newWorld()): Promise<Nodes> {
    const worlds = await Promise.all(Array.from({ length: count }, connect));
    const all = worlds
      .map((world) => new BackplaneLink(world))
      .map(async (link, at) => {
        const shop = await startWorkshop({ cluster: clusterWithin(nodeTimes, { backplane: link, nodeName: `node ${at}` }), ...options });
        return Object.assign(shop, { link });
      });
    return new Nodes(await Promise.all(all), worlds);
  }

  /** The node with this number; the first one follows the last. */
  at(number: number): WorkshopNode {
    const node = this.all[number % this.all.length];
    if (node === undefined) throw new Error("no node");
    return node;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.all.map((node) => node[Symbol.asyncDispose]()));
    await Promise.all(this.#worlds.map((world) => world.close()));
  }
}

/** A client whose requests go to the nodes in turn, as behind a load balancer. */
export class RovingTalk implements Disposable {
  readonly #nodes: Nodes;
  readonly #talk: HttpTalk;
  #next = 1;

  private constructor(nodes: Nodes, talk: HttpTalk) {
    this.#nodes = nodes;
    this.#talk = talk;
  }

  /** Opens a session on the first node. */
  static async open(nodes: Nodes, options: HttpTalkOptions = {}): Promise<RovingTalk> {
    return new RovingTalk(nodes, await HttpTalk.open(nodes.at(0).url, options));
  }

  get id(): string {
    return this.#talk.id;
  }

  /** The number of the node that gets the next request. */
  get next(): number {
    return this.#next % this.#nodes.all.length;
  }

  send(method: string, headers: Headers = {}, body?: unknown, node = this.#next++): Promise<Answer> {
    return this.#talk.send(method, headers, body, this.#nodes.at(node).url);
  }

  post(message: unknown, node?: number): Promise<Answer> {
    return this.send("POST", {}, message, node);
  }

  listen(lastEventId?: string, node?: number): Promise<Answer> {
    return this.send("GET", { "last-event-id": lastEventId }, undefined, node);
  }

  /** `tools/call` with a new id. */
  call(name: string, args: object = {}, meta?: object, node?: number): Promise<Answer> {
    return this.post(this.#talk.calling(name, { ...args }, meta && { ...meta }), node);
  }

  calling(name: string, args: object = {}, meta?: object): Record<string, unknown> {
    return this.#talk.calling(name, { ...args }, meta && { ...meta });
  }

  [Symbol.dispose](): void {
    this.#talk[Symbol.dispose]();
  }
}
