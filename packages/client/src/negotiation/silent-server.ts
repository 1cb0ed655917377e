// Discovery of a server of the handshake era that may ignore `server/discover` instead of rejecting it.
import { setImmediate } from "node:timers/promises";
import type { ClientConnection } from "../connection/client-connection.ts";
import type { NegotiatedServer } from "../era.ts";
import { RequestTimeoutError } from "../errors.ts";
import { initialize } from "../handshake/initialize.ts";
import { DISCOVER } from "../meta-keys.ts";
import { discover, type Discovery } from "./discovery.ts";
import { isStateless } from "./revision-choice.ts";
import type { EraName } from "./server-access.ts";

export interface SilentServerOptions {
  candidates: readonly string[];
  handshakeRevision: string;
  /** Time without a response after which a handshake is tried as well. */
  probeMs: number;
  signal: AbortSignal | undefined;
}

/** The outcome of discovery, or of a handshake that was completed because the server had not answered in time. */
export type SharedTransportDiscovery = Discovery | { era: EraName; server: NegotiatedServer };

/** Sends `server/discover` over HTTP, where a handshake needs another transport. Silence means the handshake era, with a doubt. */
export async function discoverWithin(
  connection: ClientConnection,
  { candidates, probeMs, signal }: Omit<SilentServerOptions, "handshakeRevision">,
): Promise<Discovery> {
  const timeout = AbortSignal.timeout(probeMs);
  try {
    return await discover(connection, candidates, anySignal(timeout, signal));
  } catch (error) {
    signal?.throwIfAborted();
    if (!timeout.aborted && !(error instanceof RequestTimeoutError)) throw error;
    return { era: "handshake", reason: new RequestTimeoutError(DISCOVER, probeMs, false), isUncertain: true };
  }
}

const SILENT = Symbol("silent");

/** Sends `server/discover`, and `initialize` if there is no response in time. The first successful response decides the era. */
export async function discoverOrInitialize(connection: ClientConnection, options: SilentServerOptions): Promise<SharedTransportDiscovery> {
  const { candidates, handshakeRevision, probeMs, signal } = options;
  const discovery = new AbortController();
  const handshake = new AbortController();
  const discovered = discover(connection, candidates, anySignal(discovery.signal, signal));
  discovered.catch(() => undefined); // an error after the timeout is handled below
  const first = await Promise.race([discovered, silence(probeMs)]);
  if (first !== SILENT) return first;

  // A server that starts slowly answers both requests at once; stateless revisions take precedence.
  const initialized = afterPendingInput(initialize(connection, handshakeRevision, anySignal(handshake.signal, discovery.signal, signal)));
  const server = await Promise.race([statelessServerOr(discovered, initialized), refusedLater(initialized, probeMs)]);
  initialized.catch(() => undefined); // the loser is aborted
  const era = isStateless(server.revision) ? "stateless" : "handshake";
  (era === "stateless" ? handshake : discovery).abort(new Error("The server supports the other era"));
  return { era, server };
}

async function statelessServerOr(discovered: Promise<Discovery>, initialized: Promise<NegotiatedServer>): Promise<NegotiatedServer> {
  const discovery = await discovered.catch(() => undefined);
  return discovery?.era === "stateless" ? discovery.server : initialized;
}

/** The same promise, rejected after some time: a stateless server may refuse the handshake before it answers the discovery. */
async function refusedLater<T>(promise: Promise<T>, ms: number): Promise<T> {
  try {
    return await promise;
  } catch (error) {
    await silence(ms);
    throw error;
  }
}

/** The same promise, settled after all input that was received together has been processed. */
async function afterPendingInput<T>(promise: Promise<T>): Promise<T> {
  await promise.catch(() => undefined);
  await setImmediate();
  return promise;
}

function silence(ms: number): Promise<typeof SILENT> {
  return new Promise((resolve) => setTimeout(() => resolve(SILENT), ms).unref());
}

const anySignal = (...signals: (AbortSignal | undefined)[]): AbortSignal =>
  AbortSignal.any(signals.filter((signal) => signal !== undefined));
