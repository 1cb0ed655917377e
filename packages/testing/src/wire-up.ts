// A client connected to a server in one line, with a record of every message between them.
import { connect, type Client, type Command, type ConnectOptions } from "@oarlock/client";
import { linkMemory, type EndpointOptions, type Server } from "@oarlock/server-kit";

export type Transport = "memory" | "stdio";

/** One server, both ways: a definition for this process, and a command that serves the same. */
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
  /** Default: memory where there is a definition, else stdio. */
  transport?: Transport;
  /** For a definition served in this process. */
  endpoint?: EndpointOptions;
}

/**
 * Connects a client to a definition, a command, or either of the two.
 * @example
 * await using wired = await connectTo(createServer(), { revision: "2025-06-18" });
 * expect(await wired.client.call("echo", { message: "hi" })).toEqual({ content: [{ type: "text", text: "hi" }] });
 */
export async function connectTo(target: Server | Command | Target, options: WireUpOptions = {}): Promise<Wired> {
  const { transport = defaultTransport(target), endpoint, ...rest } = options;
  const log: Passed[] = [];
  const faults: string[] = [];
  const client = await connect(transport === "memory" ? linkMemory(definition(target), endpoint) : commandOf(target), {
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
  return {
    client,
    log,
    faults,
    messages: (direction) => log.filter((passed) => passed.direction === direction).map(({ text }) => JSON.parse(text)),
    [Symbol.asyncDispose]: () => client.close(),
  };
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
