// Opens a connection and shakes hands: initialize, an agreed revision, initialized.
// https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#initialization
import {
  findRevision,
  isObject,
  NEWEST_HANDSHAKE,
  type ClientCapabilities,
  type Implementation,
  type Json,
  type LogLevel,
  type Wire,
} from "@oarlock/server-kit/protocol";
import { answer, capabilitiesOf, checkedRoots, type Handlers } from "./answer.ts";
import { Client, type Agreed } from "./client.ts";
import { asError, Closed, HandshakeFailed } from "./errors.ts";
import { Link } from "./link.ts";
import { spawnServer, type Command, type SpawnOptions } from "./stdio.ts";
import { Watchers } from "./watchers.ts";

export interface LogEntry {
  level: LogLevel;
  logger?: string;
  data: unknown;
}

export interface ConnectOptions extends Handlers, Pick<SpawnOptions, "graceMs" | "termMs" | "onStderr"> {
  /** The revision to ask for. Default: the newest with a handshake. */
  revision?: string;
  clientInfo?: Implementation;
  /** Declared beside what follows from the handlers. */
  capabilities?: ClientCapabilities;
  /** Longest silence on a request, in milliseconds. Default 60,000. */
  timeoutMs?: number;
  /** Longest time for a request in all. Default 600,000. */
  maxTotalMs?: number;
  /** Pings the server this often, and closes the connection when one is not answered. Default: never. */
  pingEveryMs?: number;
  /** Aborting it before the handshake is done closes the connection. */
  signal?: AbortSignal;
  onLog?(entry: LogEntry): void;
  onListChanged?(list: "tools" | "resources" | "prompts"): void;
  /** Every notification of the server, whether or not another handler takes it. */
  onNotification?(method: string, params: Json): void;
  /** Every raw message, as it goes and comes. */
  onWire?(direction: "sent" | "received", text: string): void;
  /** What the server did against the protocol and is survived, in words. */
  onFault?(what: string): void;
}

/**
 * Connects to a server: a command to start, or a wire that is there already.
 * @example
 * await using client = await connect({ command: "node", args: ["server.js"] });
 * const { content } = await client.call("echo", { message: "hello" });
 */
export async function connect(to: Command | Wire, options: ConnectOptions = {}): Promise<Client> {
  const asked = findRevision(options.revision ?? NEWEST_HANDSHAKE);
  if (asked?.facts.era !== "handshake") throw new TypeError(`No revision with a handshake: ${String(options.revision)}`);
  if (Array.isArray(options.roots)) checkedRoots(options.roots);
  options.signal?.throwIfAborted();
  const handlers: Handlers = { ...options };
  const watchers = new Watchers();
  const closed = Promise.withResolvers<Error>();
  let facts = asked.facts;
  const link = new Link("send" in to ? to : spawnServer(to, options), {
    timeoutMs: options.timeoutMs ?? 60_000,
    maxTotalMs: options.maxTotalMs ?? 600_000,
    answer: (method, params, signal) => answer(handlers, facts, method, params, signal),
    notified: (method, params) => notified(method, params, options, watchers),
    closed: closed.resolve,
    onWire: options.onWire,
    onFault: options.onFault,
  });
  try {
    const said = {
      protocolVersion: asked.id,
      capabilities: { ...options.capabilities, ...capabilitiesOf(handlers, facts) },
      clientInfo: options.clientInfo ?? { name: "oarlock-client", version: "0.0.0" },
    };
    const agreed = readAgreed(await link.request("initialize", said, options.signal && { signal: options.signal }));
    facts = findRevision(agreed.revision)?.facts ?? facts;
    link.batches = facts.batch;
    link.notify("notifications/initialized");
    if (options.pingEveryMs !== undefined) keepAlive(link, options.pingEveryMs, options.onFault);
    return new Client(agreed, { link, handlers, watchers, closed: closed.promise });
  } catch (error) {
    await link.close("The handshake failed");
    throw error instanceof Closed ? error : asError(error);
  }
}

/** The answer to `initialize`; throws when it names a revision that we do not speak, or is none. */
function readAgreed({ protocolVersion, capabilities, serverInfo, instructions }: Json): Agreed {
  const revision = findRevision(protocolVersion);
  if (revision?.facts.era !== "handshake")
    throw new HandshakeFailed(`The server speaks ${String(protocolVersion)}, which this client does not`);
  if (!isObject(capabilities) || !isObject(serverInfo) || typeof serverInfo.name !== "string" || typeof serverInfo.version !== "string") {
    throw new HandshakeFailed("The server's answer to initialize lacks its capabilities, name or version");
  }
  return {
    revision: revision.id,
    capabilities, // an open set: each use looks at what it needs
    serverInfo: serverInfo as unknown as Implementation, // name and version are strings
    ...(typeof instructions === "string" && { instructions }),
  };
}

const LISTS = {
  "notifications/tools/list_changed": "tools",
  "notifications/resources/list_changed": "resources",
  "notifications/prompts/list_changed": "prompts",
} as const;

function notified(method: string, params: Json, { onLog, onListChanged, onNotification }: ConnectOptions, watchers: Watchers): void {
  if (Object.hasOwn(LISTS, method)) onListChanged?.(LISTS[method as keyof typeof LISTS]); // hasOwn has looked
  else if (method === "notifications/resources/updated" && typeof params.uri === "string") watchers.updated(params.uri);
  else if (method === "notifications/message") onLog?.(params as unknown as LogEntry); // the server's word
  onNotification?.(method, params);
}

function keepAlive(link: Link, everyMs: number, onFault: ConnectOptions["onFault"]): void {
  const timer = setTimeout(() => {
    link.request("ping", undefined, { timeoutMs: everyMs }).then(
      () => link.ended ?? keepAlive(link, everyMs, onFault),
      (error: unknown) => {
        if (link.ended !== undefined) return;
        onFault?.(`ping: ${asError(error).message}`);
        return link.close("The server does not answer pings");
      },
    );
  }, everyMs);
  timer.unref();
}
