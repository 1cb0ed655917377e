// Negotiation: finds out which era and revision a server supports, and returns the connected client. All decisions are made here.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning
import { McpError } from "@oarlock/server-kit/protocol";
import type { Client } from "../client.ts";
import { ClientConnection } from "../connection/client-connection.ts";
import type { Transport } from "../connection/transport.ts";
import { HttpStatusError, InterruptedError, NegotiationError, RequestTimeoutError } from "../errors.ts";
import { initialize, startSession } from "../handshake/initialize.ts";
import type { ConnectOptions } from "../options.ts";
import { startStateless } from "../stateless/start-stateless.ts";
import { discover } from "./discovery.ts";
import { chooseRevisions, type RevisionChoice } from "./revision-choice.ts";
import type { EraName, ServerAccess } from "./server-access.ts";
import { discoverOrInitialize, discoverWithin, type SharedTransportDiscovery } from "./silent-server.ts";

const DEFAULT_PROBE_MS = 3000;

export class Negotiation {
  readonly #access: ServerAccess;
  readonly #options: ConnectOptions;
  readonly #revisions: RevisionChoice;

  constructor(access: ServerAccess, options: ConnectOptions) {
    this.#access = access;
    this.#options = options;
    this.#revisions = chooseRevisions(options.revision);
  }

  async run(): Promise<Client> {
    const { handshakeRevision, isHandshakeOnly } = this.#revisions;
    const { known } = this.#options;
    if (isHandshakeOnly && handshakeRevision !== undefined) return this.#connectSession(handshakeRevision);
    if (known !== undefined) {
      const connection = this.#connection(this.#access.openStateless());
      return connection.closeOnFailure(() => this.#startStateless(connection, known));
    }
    return (await this.#connectRememberedSession()) ?? this.#discover();
  }

  #connection(transport: Transport): ClientConnection {
    return new ClientConnection(transport, this.#revisions.candidates[0] ?? "", this.#options);
  }

  /** Skips discovery for a server that needed a handshake before; undefined if the server has changed since. */
  async #connectRememberedSession(): Promise<Client | undefined> {
    const { handshakeRevision } = this.#revisions;
    if (handshakeRevision === undefined || this.#access.rememberedEra?.() !== "handshake") return undefined;
    try {
      return await this.#connectSession(handshakeRevision);
    } catch (error) {
      if (!isRejection(error) || this.#options.signal?.aborted === true) throw error;
      return undefined;
    }
  }

  async #discover(): Promise<Client> {
    const { handshakeRevision } = this.#revisions;
    const connection = this.#connection(this.#access.openStateless());
    try {
      return await connection.closeOnFailure(() => this.#discoverOn(connection));
    } catch (error) {
      const hasExited = handshakeRevision !== undefined && (await this.#access.hasExited?.(error)) === true;
      if (!hasExited) throw error;
      return this.#connectSession(handshakeRevision);
    }
  }

  async #discoverOn(connection: ClientConnection): Promise<Client> {
    const { candidates, handshakeRevision } = this.#revisions;
    const discovery = await this.#findEra(connection);
    const isUncertain = "isUncertain" in discovery;
    if (!isUncertain) this.#access.rememberEra?.(discovery.era);
    if (discovery.era === "stateless") return this.#startStateless(connection, discovery.server);
    if (handshakeRevision === undefined) {
      // A connection that was lost tells nothing about revisions: the caller may try again.
      if (isUncertain && discovery.reason instanceof InterruptedError) throw discovery.reason;
      const reason = "reason" in discovery ? `: ${discovery.reason.message}` : "";
      throw new NegotiationError(`The server does not support ${candidates.join(", ")}${reason}`);
    }
    if ("server" in discovery) return this.#startSession(connection, handshakeRevision, discovery.server);
    if (this.#access.hasSharedTransport) return this.#performHandshake(connection, handshakeRevision);
    await connection.peer.close();
    try {
      return await this.#connectSession(handshakeRevision);
    } catch (error) {
      this.#access.rememberEra?.(undefined);
      if (isUncertain && isRejection(error)) return this.#discoverPatiently(discovery.reason);
      throw error;
    }
  }

  /** A server that rejects the handshake may have been slow to answer `server/discover`. */
  async #discoverPatiently(reason: Error): Promise<Client> {
    const connection = this.#connection(this.#access.openStateless());
    return connection.closeOnFailure(async () => {
      if (!(reason instanceof RequestTimeoutError)) throw reason;
      const discovery = await discover(connection, this.#revisions.candidates, this.#options.signal);
      if (discovery.era !== "stateless") throw reason;
      this.#access.rememberEra?.("stateless");
      return this.#startStateless(connection, discovery.server);
    });
  }

  async #findEra(connection: ClientConnection): Promise<SharedTransportDiscovery> {
    const { candidates, handshakeRevision } = this.#revisions;
    const { signal, timeoutMs = Infinity } = this.#options;
    // A shorter time limit of requests leaves half of itself for the handshake.
    const { probeMs = Math.min(DEFAULT_PROBE_MS, timeoutMs / 2) } = this.#options;
    if (handshakeRevision === undefined) return discover(connection, candidates, signal);
    if (!this.#access.hasSharedTransport) return discoverWithin(connection, { candidates, probeMs, signal });
    return discoverOrInitialize(connection, { candidates, handshakeRevision, probeMs, signal });
  }

  /** Opens a session, over the transport of 2024-11-05 if the server rejects the current one. */
  async #connectSession(revision: string): Promise<Client> {
    try {
      return await this.#performHandshakeOver(this.#access.openSession(), revision);
    } catch (rejection) {
      const legacy = this.#access.openLegacy?.(rejection);
      if (legacy === undefined) throw rejection;
      return await this.#performHandshakeOver(legacy, legacy.revision).catch((error: unknown) => {
        // For a server that does not have that transport either, the first rejection is more specific.
        throw legacy.isSupported || this.#options.signal?.aborted === true ? error : rejection;
      });
    }
  }

  #performHandshakeOver(transport: Transport, revision: string): Promise<Client> {
    const connection = new ClientConnection(transport, revision, this.#options);
    return connection.closeOnFailure(() => this.#performHandshake(connection, revision));
  }

  async #performHandshake(connection: ClientConnection, revision: string): Promise<Client> {
    return this.#startSession(connection, revision, await initialize(connection, revision, this.#options.signal));
  }

  #startSession(...args: Parameters<typeof startSession>): Client {
    return this.#negotiated("handshake", startSession(...args));
  }

  async #startStateless(...args: Parameters<typeof startStateless>): Promise<Client> {
    return this.#negotiated("stateless", await startStateless(...args));
  }

  #negotiated(era: EraName, client: Client): Client {
    this.#access.onNegotiated?.(era);
    return client;
  }
}

/** Whether the server rejected the handshake, as opposed to being unreachable. */
function isRejection(error: unknown): boolean {
  return error instanceof NegotiationError || error instanceof McpError || (error instanceof HttpStatusError && error.status < 500);
}
