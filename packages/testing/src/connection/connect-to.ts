// A client connected to a server under test, with a log of every message between them.
import { connect, spawnServer, type Client, type Command, type ConnectOptions } from "@oarlock/client";
import { linkMemory, type RuntimeOptions, type Server } from "@oarlock/server-kit";
import { NEWEST_HANDSHAKE } from "@oarlock/server-kit/protocol";
import { serveHttp } from "@oarlock/server-kit/node";
import { errorLog, printError, StderrErrors, type ErrorListener } from "./server-errors.ts";

export type Transport = "memory" | "stdio" | "http";

/** One server in two forms: a definition to serve in this process, and a command that serves it over stdio. */
export interface Target {
  server(): Server;
  command: Command;
}

/** One message as it was on the wire. */
export interface WireMessage {
  direction: "sent" | "received";
  text: string;
}

export interface TestConnection extends AsyncDisposable {
  readonly client: Client;
  /** Every message in order, from the first request on. */
  readonly log: readonly WireMessage[];
  /** The messages of one direction, parsed. */
  messages(direction: WireMessage["direction"]): unknown[];
  /** Protocol violations of the server; empty for a correct server. */
  readonly faults: readonly string[];
}

export interface ConnectToOptions extends ConnectOptions {
  /** Default: the newest revision with a handshake. "auto" negotiates the revision, as `connect` does by default. */
  revision?: string;
  /** Default: "memory" for a definition, "stdio" for a command. */
  transport?: Transport;
  /** Options of the server when this process serves it. */
  endpoint?: RuntimeOptions;
  /**
   * Receives the errors of the server's log, which has the cause of each `Internal error (ref …)`; `false` drops them. Of a command, those
   * that `@oarlock/cli` writes to stderr. Default: they are printed, unless the test reads `onStderr` or `endpoint.log` itself.
   */
  onServerError?: false | ErrorListener;
}

/**
 * Connects a client to a definition, a command, or a target that has both. Over HTTP, a definition is served by this process on a
 * free loopback port; a command runs with `--http --port 0`, which every server built with `@oarlock/cli` accepts.
 * @example
 * await using connection = await connectTo(createServer(), { revision: "2025-06-18" });
 * expect(await connection.client.call("echo", { message: "hi" })).toEqual({ content: [{ type: "text", text: "hi" }] });
 */
export async function connectTo(target: Server | Command | Target, options: ConnectToOptions = {}): Promise<TestConnection> {
  const { transport = defaultTransport(target), endpoint, onServerError, ...clientOptions } = options;
  const log: WireMessage[] = [];
  const faults: string[] = [];
  const sinks = errorSinks(endpoint, clientOptions.onStderr, onServerError);
  const { address, stop } = await start(target, transport, sinks);
  const connecting = connect(address, {
    revision: NEWEST_HANDSHAKE,
    cache: false, // the subject of the test is the server, not the client's cache
    ...clientOptions,
    onStderr: sinks.onStderr,
    onWire(direction, text) {
      log.push({ direction, text });
      clientOptions.onWire?.(direction, text);
    },
    onFault(message) {
      faults.push(message);
      clientOptions.onFault?.(message);
    },
  });
  const client = await connecting.catch(async (error: unknown) => {
    await stop?.();
    throw error;
  });
  return {
    client,
    log,
    faults,
    messages: (direction) => log.filter((message) => message.direction === direction).map(({ text }) => JSON.parse(text)),
    async [Symbol.asyncDispose]() {
      await client.close();
      await stop?.();
    },
  };
}

interface StartedServer {
  address: Parameters<typeof connect>[0];
  /** Stops a server that outlives its connection. */
  stop?: () => Promise<void>;
}

interface StartOptions {
  endpoint: RuntimeOptions | undefined;
  onStderr: ConnectOptions["onStderr"];
}

/** Lets the listener read the log of this process and stderr of a command, beside the test's own readers. */
function errorSinks(
  endpoint: RuntimeOptions | undefined,
  onStderr: ConnectOptions["onStderr"],
  listener: false | ErrorListener | undefined,
): StartOptions {
  const ofProcess = listener ?? (endpoint?.log === undefined && printError);
  const ofCommand = listener ?? (onStderr === undefined && printError);
  return { endpoint: ofProcess === false ? endpoint : withLog(endpoint, errorLog(ofProcess)), onStderr: withErrors(onStderr, ofCommand) };
}

function withLog(endpoint: RuntimeOptions | undefined, log: NonNullable<RuntimeOptions["log"]>): RuntimeOptions {
  return {
    ...endpoint,
    log(level, data, trace) {
      log(level, data);
      endpoint?.log?.(level, data, trace);
    },
  };
}

function withErrors(onStderr: ConnectOptions["onStderr"], listener: false | ErrorListener): ConnectOptions["onStderr"] {
  if (listener === false) return onStderr;
  const errors = new StderrErrors(listener);
  return (text) => {
    onStderr?.(text);
    errors.push(text);
  };
}

async function start(
  target: Server | Command | Target,
  transport: Transport,
  { endpoint, onStderr }: StartOptions,
): Promise<StartedServer> {
  if (transport === "memory") return { address: linkMemory(definitionOf(target), endpoint) };
  if (transport === "stdio") return { address: commandOf(target) };
  if ("command" in target && !("server" in target)) return startHttp(target, onStderr);
  const { url, stop } = await serveHttp(definitionOf(target), { ...endpoint, port: 0 });
  return { address: { url }, stop };
}

/** Runs a command as an HTTP server; its address is read from stderr. */
async function startHttp(command: Command, onStderr: ConnectOptions["onStderr"]): Promise<StartedServer> {
  const listening = Promise.withResolvers<string>();
  const httpCommand = { ...command, args: [...(command.args ?? []), "--http", "--port", "0"] };
  // An HTTP server ignores the end of stdin, so it gets SIGTERM without a grace time.
  const server = spawnServer(httpCommand, {
    graceMs: 0,
    onStderr(text) {
      onStderr?.(text);
      const [, url] = /\blistening on (http\S+)\s/.exec(server.stderr) ?? [];
      if (url !== undefined) listening.resolve(url);
    },
  });
  void server.exited.then(() =>
    listening.reject(new Error(`HTTP server (${command.command}) exited before it listened. Its stderr:\n${server.stderr}`)),
  );
  return { address: { url: await listening.promise }, stop: () => server.close() };
}

function defaultTransport(target: Server | Command | Target): Transport {
  return "spec" in target || "server" in target ? "memory" : "stdio";
}

function definitionOf(target: Server | Command | Target): Server {
  if ("server" in target) return target.server();
  if ("spec" in target) return target;
  throw new TypeError("A command cannot be served in memory: expected a server definition. Pass the result of defineServer.");
}

function commandOf(target: Server | Command | Target): Command {
  if ("server" in target) return target.command;
  if ("command" in target) return target;
  throw new TypeError("A server definition has no command for stdio: expected a command. Pass one, such as the result of nodeCommand.");
}
