// A peer of the stateless era: made of one request's envelope, and gone with it.
// https://modelcontextprotocol.io/specification/2026-07-28/basic#statelessness
import { allows, cannotAsk, type Asker } from "../requests/ask.ts";
import { NEW_LEDGER, type Ledger } from "../requests/ledger.ts";
import { Replay } from "../requests/replay.ts";
import type { Client } from "../protocol/client.ts";
import type { Envelope } from "../protocol/meta.ts";
import type { Root } from "../protocol/types.ts";
import type { Revision } from "../revisions/index.ts";
import type { Json } from "../wire/json-rpc.ts";
import type { Peer } from "./peer.ts";
import { readRoots } from "./roots.ts";

export class StatelessPeer implements Peer {
  readonly revision: Revision;
  readonly client: Client;
  readonly logFrom: number;
  /** Only some requests may end in questions. */
  mayAsk = false;
  readonly #envelope: Envelope;
  #replay: Replay | undefined;
  #roots: Promise<readonly Root[]> | undefined;

  /** `logFrom`: the severity from which on the request wants log entries; Infinity for none. */
  constructor(envelope: Envelope, revision: Revision, logFrom: number) {
    this.#envelope = envelope;
    this.revision = revision;
    this.logFrom = logFrom;
    const { capabilities, clientInfo } = envelope;
    this.client = {
      ...(clientInfo !== undefined && { name: clientInfo.name, version: clientInfo.version }),
      can: (what) => allows(capabilities, revision.facts, what),
    };
  }

  may(need: "sample.tools" | "sample.context"): boolean {
    return allows(this.#envelope.capabilities, this.revision.facts, need);
  }

  /** What earlier rounds of the request have brought. Without it, the request is in its first round. */
  resume(ledger: Ledger, responses: ReadonlyMap<string, Json>): void {
    this.#replay = new Replay({ revision: this.revision, capabilities: this.#envelope.capabilities, ledger, responses });
  }

  /** The questions of this round; undefined when nothing was asked. */
  get replay(): Replay | undefined {
    return this.#replay;
  }

  asker(): Asker {
    if (!this.mayAsk) return NOT_HERE;
    if (this.#replay === undefined) this.resume(NEW_LEDGER, new Map());
    return this.#replay as Replay; // resume has made it
  }

  roots(asker: Asker, signal: AbortSignal): Promise<readonly Root[]> {
    if (!this.client.can("roots")) return Promise.reject(cannotAsk("roots"));
    return (this.#roots ??= asker.ask({ method: "roots/list", params: {}, needs: "roots", key: "roots" }, signal).then(readRoots));
  }
}

const NOT_HERE: Asker = { ask: () => Promise.reject(new Error("only tools, prompts and the reading of resources may ask")) };
