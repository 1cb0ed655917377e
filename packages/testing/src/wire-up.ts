// A client connected to a server in one line, with a record of every message between them.
import { connect, spawnServer, type Client, type Command, type ConnectOptions } from "@oarlock/client";
import { linkMemory, type EndpointOptions, type Server } from "@oarlock/server-kit";
import { NEWEST_HANDSHAKE } from "@oarlock/server-kit/protocol";
import { serveHttp } from "@oarlock/server-kit/node";

export type Transport = "memory" | "stdio" | "http";

/** One server, both ways: a definition for this process, and a command that serves the same over stdio. */
export interface Target {
  server(): Server;
  command: Command;
}

/** One message as it stood on the wire. */
export interface Passed {
  direction: "sent" | "received";
  text: string;
}

export interface Wired extends AsyncDisposable {
  readonly client: Client;
  /** Every message in its order, from initialize on. */
  readonly log: readonly Passed[];
  /** The messages of one direction, parsed. */
  messages(direction: Passed["direction"]): unknown[];
  /** What the server did against the protocol; a healthy one leaves it empty. */
  readonly faults: readonly string[];
}

export interface WireUpOptions extends ConnectOptions {
  /** Default: the newest with a handshake. "auto" finds out what the server speaks, as `connect` does when nobody says so. */
  revision?: string;
  /** Default: memory where there is a definition, else stdio. */
  transport?: Transport;
  /** For a definition served in this process. */
  endpoint?: EndpointOptions;
}

/**
 * Connects a client to a definition, a command, or either of the two. Over HTTP a definition is served in this process, on a
 * free port of the loopback; a command alone is run with `--http --port 0`, as every server of the kit takes it.
 * @example
 * await using wired = await connectTo(createServer(), { revision: "2025-06-18" });
 * expect(await wired.client.call("echo", { message: "hi" })).toEqual({ content: [{ type: "text", text: "hi" }] });
 */
export async function connectTo(target: Server | Command | Target, options: WireUpOptions = {}): Promise<Wired> {
  const { transport = defaultTransport(target), endpoint, ...rest } = options;
  const log: Passed[] = [];
  const faults: string[] = [];
  const { to, end } = await reach(target, transport, { endpoint, onStderr: rest.onStderr });
  const connecting = connect(to, {
    revision: NEWEST_HANDSHAKE,
    cache: false, // what is tested is the server
    ...rest,
    onWire(direction, text) {
      log.push({ direction, text });
      rest.onWire?.(direction, text);
    },
    onFault(what) {
      faults.push(what);
      rest.onFault?.(what);
    },
  });
  const client = await connecting.catch(async (error: unknown) => {
    await end?.();
    throw error;
  });
  return {
    client,
    log,
    faults,
    messages: (direction) => log.filter((passed) => passed.direction === direction).map(({ text }) => JSON.parse(text)),
    async [Symbol.asyncDispose]() {
      await client.close();
      await end?.();
    },
  };
}

interface Reached {
  to: Parameters<typeof connect>[0];
  /** Ends a server that does not end with its connection. */
  end?: () => Promise<void>;
}

interface ReachOptions {
  endpoint: EndpointOptions | undefined;
  onStderr: ConnectOptions["onStderr"];
}

async function reach(target: Server | Command | Target, transport: Transport, { endpoint, onStderr }: ReachOptions): Promise<Reached> {
  if (transport === "memory") return { to: linkMemory(definition(target), endpoint) };
  if (transport === "stdio") return { to: commandOf(target) };
  if ("command" in target && !("server" in target)) return runHttp(target, onStderr);
  const { url, stop } = await serveHttp(definition(target), { ...endpoint, port: 0 });
  return { to: { url }, end: stop };
}

/** Runs a command as an HTTP server; it says on stderr where it listens. */
async function runHttp(command: Command, onStderr: ConnectOptions["onStderr"]): Promise<Reached> {
  const listening = Promise.withResolvers<string>();
  const run = { ...command, args: [...(command.args ?? []), "--http", "--port", "0"] };
  // The end of its input means nothing to an HTTP server: it is asked to terminate at once.
  const server = spawnServer(run, {
    graceMs: 0,
    onStderr(text) {
      onStderr?.(text);
      const [, url] = /\blistening on (http\S+)\s/.exec(server.stderr) ?? [];
      if (url !== undefined) listening.resolve(url);
    },
  });
  void server.exited.then(() => listening.reject(new Error(`${command.command} ended before it listened; its stderr:\n${server.stderr}`)));
  return { to: { url: await listening.promise }, end: () => server.close() };
}

function defaultTransport(target: Server | Command | Target): Transport {
  return "spec" in target || "server" in target ? "memory" : "stdio";
}

function definition(target: Server | Command | Target): Server {
  if ("server" in target) return target.server();
  if ("spec" in target) return target;
  throw new TypeError("A command cannot be served in memory; give the definition");
}

function commandOf(target: Server | Command | Target): Command {
  if ("server" in target) return target.command;
  if ("command" in target) return target;
  throw new TypeError("A definition cannot be served over stdio by itself; give a command that serves it, as by `fixture`");
}
