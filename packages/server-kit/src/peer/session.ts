// Session: the client of a connection in the handshake era, as `initialize` described it.
// https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle
import { missingCapability, type ClientRequester } from "./client-request.ts";
import { invalidParams, RefusedByClient, ToolError } from "../protocol/errors.ts";
import { readCapabilities, readClientInfo } from "../protocol/declaration.ts";
import { childTrace } from "../protocol/trace.ts";
import type { ClientCapabilities, Root } from "../protocol/types.ts";
import { negotiate, type Revision } from "../revisions/index.ts";
import { METHOD_NOT_FOUND, type Json } from "../wire/json-rpc.ts";
import { OutgoingRequests } from "./outgoing-requests.ts";
import type { Peer } from "./peer.ts";
import { PeerClient } from "./peer-client.ts";
import type { TokenBucket } from "./token-bucket.ts";

/** What changes in a session after `initialize`. */
export interface SessionState {
  readonly ready: boolean;
  /** Undefined until the client sets a level. */
  readonly minSeverity?: number;
  /** Addresses of the resources that the client subscribes to. */
  readonly uris: readonly string[];
  readonly roots?: KnownRoots;
}

/** The roots that a client has sent. */
export interface KnownRoots {
  readonly roots: readonly Root[];
  readonly hasNamedRoots: boolean;
  /** The client has not notified of a change since. */
  readonly isCurrent: boolean;
}

/** A change of a session that other processes have to know, where several serve it. */
export type SessionChange = (state: SessionState) => SessionState;

export class Session implements Peer {
  readonly revision: Revision;
  readonly client: PeerClient;
  readonly requests = new OutgoingRequests();
  /** True once the client has sent `notifications/initialized`: only then may the server notify it and send it requests. */
  ready = false;
  minSeverity: number;
  logs: TokenBucket | undefined;
  key: string | undefined;
  notify: ((text: string) => void) | undefined;
  /** Called when the session ends. */
  onEnd: (() => void) | undefined;
  /** Called when the client has sent its roots. */
  onRoots: (() => void) | undefined;
  /** Called with each change of the session's state. */
  onChange: ((change: SessionChange) => void) | undefined;
  readonly #capabilities: ClientCapabilities;
  readonly #timeoutMs: number;
  #rootsRequest: Promise<readonly Root[]> | undefined;
  #isRead = ALWAYS;

  /**
   * Reads the params of `initialize`; throws -32602 when they are invalid. `knownExtensions`: the extensions that the server has in the
   * revision of the session.
   */
  constructor(
    params: Json,
    minSeverity: number,
    clientRequestMs: number,
    knownExtensions: (revision: Revision) => ReadonlySet<string> = () => new Set(),
  ) {
    const { protocolVersion } = params;
    if (typeof protocolVersion !== "string") throw invalidParams("protocolVersion: expected a string");
    this.revision = negotiate(protocolVersion);
    const known = knownExtensions(this.revision);
    this.#capabilities = readCapabilities(params.capabilities, known); // each use checks the member that it reads
    this.client = new PeerClient(this.revision, this.#capabilities, known, readClientInfo(params.clientInfo));
    this.#timeoutMs = clientRequestMs;
    this.minSeverity = minSeverity;
  }

  /** The params of `initialize`, as far as they are kept: they open the same session in another process. */
  get declaration(): Json {
    const { name, version } = this.client;
    return { protocolVersion: this.revision.id, capabilities: { ...this.#capabilities }, clientInfo: { name, version } };
  }

  /** Sends each client request at once and awaits its response. */
  requester(send: (text: string) => void): ClientRequester {
    if (!this.ready) return NOT_READY;
    return {
      requestFromClient: async ({ method, params, requires, trace, mayChange }, signal) => {
        if (!this.client.can(requires)) throw missingCapability(requires);
        const encoded: Json = { ...this.revision.encodeParams(method, params), ...(trace && { _meta: childTrace(trace) }) };
        // `roots/list` has no params of its own: an empty object is left out.
        const given = Object.keys(encoded).length === 0 ? {} : { params: encoded };
        try {
          return await this.requests.request({ method, ...given, send, timeoutMs: this.#timeoutMs, signal, mayChange });
        } catch (error) {
          // Some clients declare a capability for all servers and have no handler for it.
          const isUnsupported = error instanceof RefusedByClient && error.code === METHOD_NOT_FOUND;
          throw isUnsupported ? missingCapability(requires) : error;
        }
      },
    };
  }

  /**
   * Requested once and kept until the client notifies of a change. `isRead` tells whether the client reads the channel of this request.
   * While it does not, the next caller requests the roots again on its own channel.
   */
  roots(requester: ClientRequester, isRead = ALWAYS): Promise<readonly Root[]> {
    if (this.#rootsRequest === undefined || !this.#isRead()) {
      this.#isRead = isRead;
      const request = this.client.listRoots(requester);
      this.#rootsRequest = request;
      request.then(
        (roots) => {
          if (this.#rootsRequest !== request) return;
          this.client.roots = roots;
          this.#isRead = ALWAYS;
          const known = { roots, hasNamedRoots: this.client.hasNamedRoots, isCurrent: true };
          this.onChange?.((state) => ({ ...state, roots: known }));
          this.onRoots?.();
        },
        () => {
          // The next caller requests them again.
          if (this.#rootsRequest === request) this.#rootsRequest = undefined;
        },
      );
    }
    return this.#rootsRequest;
  }

  /** Handles `notifications/initialized`. */
  clientIsReady(): void {
    this.ready = true;
    this.onChange?.((state) => ({ ...state, ready: true }));
  }

  /** Handles `notifications/roots/list_changed`: the next caller requests the roots again. Until the response the old roots stay. */
  rootsChanged(): void {
    this.#rootsRequest = undefined;
    this.onChange?.((state) => (state.roots === undefined ? state : { ...state, roots: { ...state.roots, isCurrent: false } }));
  }

  /** The connection ends: requests to the client fail. */
  close(reason: Error): void {
    this.requests.close(reason);
    this.onEnd?.();
    this.onEnd = undefined;
  }

  /** Takes over the state that another process has stored. */
  restore({ ready, minSeverity, roots }: SessionState): void {
    this.ready = ready;
    this.minSeverity = minSeverity ?? this.minSeverity;
    if (roots === undefined) return;
    if (roots.isCurrent) this.#rootsRequest = Promise.resolve(roots.roots);
    // A request that has not been answered yet goes on.
    else if (this.client.roots !== undefined && this.#rootsRequest !== undefined) this.#rootsRequest = undefined;
    this.client.roots = roots.roots;
    this.client.hasNamedRoots = roots.hasNamedRoots;
  }
}

const ALWAYS = () => true;

const NOT_READY: ClientRequester = {
  requestFromClient: () =>
    Promise.reject(new ToolError("The client is not ready: it has not sent notifications/initialized. Try again later.")),
};
