// Connects to a server: checks the options, and selects the access for negotiation.
import type { Wire } from "@oarlock/server-kit/protocol";
import { checkedRoots } from "./client-requests/client-request-handlers.ts";
import type { Client } from "./client.ts";
import { HttpAccess } from "./negotiation/http-access.ts";
import { Negotiation } from "./negotiation/negotiation.ts";
import { chooseRevisions, isStateless } from "./negotiation/revision-choice.ts";
import type { ServerAccess } from "./negotiation/server-access.ts";
import { ProcessAccess, wireAccess } from "./negotiation/stdio-access.ts";
import type { ConnectOptions } from "./options.ts";
import { HttpEndpoint, type HttpServerAddress } from "./transports/http/http-endpoint.ts";
import type { Command } from "./transports/stdio/server-process.ts";

/**
 * Connects to a server: a command to start over stdio, an HTTP address, or an existing wire. Throws a `NegotiationError` without a
 * common revision, an `HttpStatusError` without access, an `InterruptedError` without a network, and a `ConnectionClosedError` when the
 * server process exits.
 * @example
 * await using client = await connect({ command: "node", args: ["server.js"] });
 * const { content } = await client.call("echo", { message: "hello" });
 */
export async function connect(to: Command | HttpServerAddress | Wire, options: ConnectOptions = {}): Promise<Client> {
  checkOptions(options);
  return new Negotiation(accessTo(to, options), options).run();
}

function checkOptions({ revision, known, roots, signal }: ConnectOptions): void {
  chooseRevisions(revision);
  if (known !== undefined && !isStateless(known.revision))
    throw new TypeError("Invalid option known: expected the result of a stateless negotiation");
  if (Array.isArray(roots)) checkedRoots(roots);
  signal?.throwIfAborted();
}

const NO_SERVER = "Invalid server: expected { url } for HTTP, { command, args } for a process, or a wire.";

function accessTo(to: Command | HttpServerAddress | Wire, options: ConnectOptions): ServerAccess {
  if (typeof to !== "object" || !("url" in to || "send" in to || "command" in to)) throw new TypeError(NO_SERVER);
  if ("url" in to) return new HttpAccess(new HttpEndpoint(to), options);
  if ("send" in to) return wireAccess(to);
  return new ProcessAccess(to, options);
}
