// Session: the client of a connection in the handshake era, as `initialize` described it.
// https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle
import { supports, missingCapability, type ClientRequester } from "../requests/client-request.ts";
import { liveRequester } from "../requests/live-requester.ts";
import { invalidParams, ToolError } from "../protocol/errors.ts";
import type { Client } from "../protocol/client.ts";
import type { ClientCapabilities, Root } from "../protocol/types.ts";
import { negotiate, type Revision } from "../revisions/index.ts";
import { isObject, type Json } from "../wire/json-rpc.ts";
import { OutgoingRequests } from "./outgoing-requests.ts";
import type { Peer } from "./peer.ts";
import { readRoots } from "./roots.ts";

export class Session implements Peer {
  readonly revision: Revision;
  readonly client: Client;
  readonly requests = new OutgoingRequests();
  /** True once the client has sent `notifications/initialized`: only then may the server notify it and send it requests. */
  ready = false;
  minSeverity: number;
  /** Called when the client has sent its roots. */
  onRoots: (() => void) | undefined;
  readonly #capabilities: ClientCapabilities;
  readonly #askMs: number;
  #roots: readonly Root[] | undefined;
  #asking: Promise<readonly Root[]> | undefined;
  #isHeard = ALWAYS;

  /** Takes the params of `initialize`; throws -32602 when they are not of its shape. */
  constructor(params: Json, logFrom: number, askMs: number) {
    const { protocolVersion, capabilities, clientInfo } = params;
    if (typeof protocolVersion !== "string") throw invalidParams("protocolVersion: expected a string");
    if (!isObject(capabilities)) throw invalidParams("capabilities: expected an object");
    if (!isObject(clientInfo) || typeof clientInfo.name !== "string" || typeof clientInfo.version !== "string") {
      throw invalidParams("clientInfo: expected a name and a version, both strings");
    }
    this.revision = negotiate(protocolVersion);
    this.#capabilities = capabilities; // an open set: each use looks at what it needs
    this.#askMs = askMs;
    this.minSeverity = logFrom;
    this.client = new SessionClient(clientInfo.name, clientInfo.version, this);
  }

  get knownRoots(): readonly Root[] | undefined {
    return this.#roots;
  }

  allows(what: Parameters<Client["can"]>[0]): boolean {
    return supports(this.#capabilities, this.revision.facts, what);
  }

  supports(need: "sample.tools" | "sample.context"): boolean {
    return supports(this.#capabilities, this.revision.facts, need);
  }

  requester(send: (text: string) => void): ClientRequester {
    // Until it is ready, a client gets no requests.
    if (!this.ready) return NOT_READY;
    return liveRequester({
      requests: this.requests,
      revision: this.revision,
      capabilities: this.#capabilities,
      send,
      timeoutMs: this.#askMs,
    });
  }

  /**
   * Requested once and kept until the client notifies of a change. `isHeard`: whether the client reads the channel of the request. While
   * nobody reads it, another request may ask on its own channel, which the client surely reads.
   */
  roots(asker: ClientRequester, signal: AbortSignal, isHeard = ALWAYS): Promise<readonly Root[]> {
    if (!this.client.can("roots")) return Promise.reject(missingCapability("roots"));
    if (this.#asking === undefined || !this.#isHeard()) {
      this.#isHeard = isHeard;
      const asking = asker.requestFromClient({ method: "roots/list", params: {}, requires: "roots" }, signal).then(readRoots);
      this.#asking = asking;
      asking.then(
        (roots) => {
          if (this.#asking !== asking) return;
          this.#roots = roots;
          this.#isHeard = ALWAYS;
          this.onRoots?.();
        },
        () => {
          // The next caller requests them again.
          if (this.#asking === asking) this.#asking = undefined;
        },
      );
    }
    return this.#asking;
  }

  /** `notifications/roots/list_changed`: the next caller requests the roots again; until then the old ones hold. */
  rootsChanged(): void {
    this.#asking = undefined;
  }
}

class SessionClient implements Client {
  readonly name: string;
  readonly version: string;
  readonly #session: Session;

  constructor(name: string, version: string, session: Session) {
    this.name = name;
    this.version = version;
    this.#session = session;
  }

  get roots(): readonly Root[] | undefined {
    return this.#session.knownRoots;
  }

  can(what: Parameters<Client["can"]>[0]): boolean {
    return this.#session.allows(what);
  }
}

const ALWAYS = () => true;

const NOT_READY: ClientRequester = {
  requestFromClient: () => Promise.reject(new ToolError("The client has not said yet that it is ready (notifications/initialized)")),
};
