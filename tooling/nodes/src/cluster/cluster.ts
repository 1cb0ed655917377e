/** Several nodes behind a load balancer, each with a proxy of its own to the engine that they share. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { sourceProgram, startOverHttp, type ListeningServer, type Program } from "@oarlock-tooling/test-support/server-process";
import { TcpProxy } from "@oarlock-tooling/test-support/tcp-proxy";
import { tempFolder, type TempFolder } from "@oarlock/testing";
import { freePort } from "@oarlock-tooling/test-support/loopback";
import { Balancer, type BalancerMode, type BalancerOptions } from "../proxy/balancer.ts";
import { addressOf, ProxyProgram, type NodePorts, type ProxyName } from "../proxy/proxy-program.ts";
import type { Random } from "../random.ts";
import { untilReady } from "./readiness.ts";

export interface ClusterOptions {
  nodes: number;
  mode: BalancerMode;
  random: Random;
  /** Address of the engine; each node reaches it through a proxy of its own. Default: no backplane, which only one node can do without. */
  engineUrl?: string;
  /** False: nodes reach the engine directly, and it cannot be cut off from one of them. Default true. */
  hasEngineProxies?: boolean;
  /** The program of the nodes without `--http`, `--port` and the backplane. Default: the fixture server. */
  program?(folders: Folders, node: string, balancer: Balancer): Program;
  /** A proxy of the field in place of our balancer. */
  proxy?: ProxyName | undefined;
  port?: number;
  serve?: BalancerOptions["serve"];
  args?: readonly string[];
}

/** Folders that all nodes use. */
export interface Folders {
  readonly journals: string;
  readonly items: string;
}

interface Member {
  readonly process: ListeningServer;
  readonly proxy: TcpProxy | undefined;
}

/** Requests that the balancer has passed on reach the node within this time. */
const REMOVAL_MS = 100;

export class Cluster implements AsyncDisposable {
  readonly balancer: Balancer;
  readonly folders: Folders;
  readonly #folder: TempFolder;
  readonly #options: ClusterOptions;
  readonly #members = new Map<string, Member>();
  readonly #stateKey: string;

  readonly #front: { readonly proxy: ProxyProgram; readonly ports: NodePorts } | undefined;

  private constructor(balancer: Balancer, folder: TempFolder, options: ClusterOptions, front?: { proxy: ProxyProgram; ports: NodePorts }) {
    this.balancer = balancer;
    this.#front = front;
    this.#folder = folder;
    this.#options = options;
    this.#stateKey = `key-${options.random.between(1e15, 9e15)}`;
    this.folders = { journals: join(folder.path, "journals"), items: join(folder.path, "items") };
    for (const path of Object.values(this.folders)) mkdirSync(path);
  }

  /** Starts the nodes and the balancer; resolves when all nodes listen, and a proxy finds one. */
  static async start(options: ClusterOptions): Promise<Cluster> {
    const { mode, port = 0, serve } = options;
    const balancer = await Balancer.start({ mode, random: options.random.fork(), port, ...(serve && { serve }) });
    const front = options.proxy === undefined ? undefined : await frontOf(options.proxy);
    const cluster = new Cluster(balancer, tempFolder(), options, front);
    try {
      const started = await Promise.allSettled(Array.from({ length: options.nodes }, (_, index) => cluster.#add(`n${index + 1}`)));
      for (const outcome of started) if (outcome.status === "rejected") throw outcome.reason;
      await front?.proxy.untilServed();
    } catch (error) {
      await cluster[Symbol.asyncDispose]();
      throw error;
    }
    return cluster;
  }

  get url(): string {
    return this.#front?.proxy.url ?? this.balancer.url;
  }

  get names(): string[] {
    return [...this.#members.keys()].toSorted();
  }

  get running(): string[] {
    return this.names.filter((name) => this.node(name).isRunning);
  }

  node(name: string): ListeningServer {
    return this.#member(name).process;
  }

  /** The address of one node, past the balancer. */
  urlOf(name: string): string {
    return this.node(name).url.href;
  }

  /** The proxy between a node and the engine. Throws without an engine. */
  engineProxy(name: string): TcpProxy {
    const { proxy } = this.#member(name);
    if (proxy === undefined) throw new Error("The cluster has no engine.");
    return proxy;
  }

  /** Kills a node as a crash does. The balancer notices when it refuses connections. */
  async kill(name: string): Promise<void> {
    await this.node(name).kill();
  }

  /** Takes a node out of the balancer, then ends it by SIGTERM, as orchestrators do. Resolves with its exit code. */
  async drain(name: string): Promise<number | null> {
    this.balancer.remove(name);
    await new Promise((resolve) => setTimeout(resolve, REMOVAL_MS));
    const { code } = await this.node(name).terminate();
    return code;
  }

  async restart(name: string): Promise<void> {
    this.balancer.remove(name);
    await this.#start(name, this.#member(name).proxy);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#members.values()].map(({ process }) => process[Symbol.asyncDispose]()));
    await this.balancer[Symbol.asyncDispose]();
    await this.#front?.proxy[Symbol.asyncDispose]();
    for (const { proxy } of this.#members.values()) await proxy?.[Symbol.asyncDispose]();
    await this.#folder[Symbol.asyncDispose]();
  }

  async #add(name: string): Promise<void> {
    const { engineUrl, hasEngineProxies = true } = this.#options;
    await this.#start(name, engineUrl === undefined || !hasEngineProxies ? undefined : await TcpProxy.start(engineUrl));
  }

  async #start(name: string, proxy: TcpProxy | undefined): Promise<void> {
    const process = await startOverHttp(this.#command(name, proxy), this.#front?.ports.http);
    this.#members.set(name, { process, proxy });
    if (proxy !== undefined) await untilReady(this.urlOf(name));
    this.balancer.add({ name, port: process.port });
  }

  #command(name: string, proxy: TcpProxy | undefined): Program {
    const { program = fixtureProgram, engineUrl, args = [] } = this.#options;
    const command = program(this.folders, name, this.balancer);
    const backplane = engineUrl === undefined ? [] : ["--backplane", proxy === undefined ? engineUrl : proxy.through(engineUrl).href];
    const place = this.#front === undefined ? [] : placeSwitches(name, this.#front);
    return { ...command, args: [...command.args, "--state-key", this.#stateKey, ...backplane, ...place, ...args] };
  }

  #member(name: string): Member {
    const member = this.#members.get(name);
    if (member === undefined) throw new RangeError(`No node ${name}.`);
    return member;
  }
}

async function frontOf(name: ProxyName): Promise<{ proxy: ProxyProgram; ports: NodePorts }> {
  const ports = { http: await freePort(), operations: await freePort() };
  return { ports, proxy: await ProxyProgram.start(name, ports) };
}

/** Longer than the interval of the proxy's probe, which is a second. */
const DRAIN_MS = 2500;

/** Each node has an address of its own, so that all have the same ports, as on machines of their own. */
function placeSwitches(node: string, { proxy, ports }: { proxy: ProxyProgram; ports: NodePorts }): string[] {
  const [host, operations] = [addressOf(node), String(ports.operations)];
  const place = ["--host", host, "--ops-host", host, "--ops-port", operations, "--drain-ms", String(DRAIN_MS)];
  return [...place, "--public-url", proxy.url];
}

const fixtureProgram = ({ journals, items }: Folders, node: string): Program =>
  sourceProgram(new URL("../fixture/main.ts", import.meta.url), [], {
    NODES_NAME: node,
    NODES_JOURNALS: journals,
    NODES_ITEMS: items,
  });
