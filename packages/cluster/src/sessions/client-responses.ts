// ClientResponses: brings the responses of clients to the node that sent the request, and cancellations to all nodes of a session.
// The id of a request names the slot of its node.
import { type Id, isObject } from "@oarlock/server-kit/protocol";
import { type IncomingMessage, SILENT } from "@oarlock/server-kit/transport";
import type { Backplane } from "../backplane/backplane.ts";
import { twiceFromEngine } from "../node/engine-away.ts";
import { keyOf } from "../node/node-lease.ts";
import { publishTwice, retry } from "../node/retry.ts";
import type { ClusterSession } from "./cluster-session.ts";

const MAX_CANCEL_CHARS = 1000;

const IDS_OF_A_SLOT = 2 ** 32;

/** How long a response waits for its node. */
const RESPONSE_TTL_MS = 60_000;

export class ClientResponses {
  readonly #backplane: Backplane;
  readonly #sessions: ReadonlyMap<string, ClusterSession>;
  #slot: number | undefined;
  #count = 0;
  #unsubscribe: (() => void) | undefined;
  #isClosed = false;
  readonly #isStopped = (): boolean => this.#isClosed;

  /** `sessions`: those of this node by their key. */
  constructor(backplane: Backplane, sessions: ReadonlyMap<string, ClusterSession>) {
    this.#backplane = backplane;
    this.#sessions = sessions;
  }

  /** Takes the messages to a slot from now on. */
  async listen(slot: number): Promise<void> {
    const unsubscribe = await this.#backplane.subscribe(
      keyOf(slot),
      (text) => void this.#hear(text),
      () => this.#missed(),
    );
    this.#unsubscribe?.();
    this.#unsubscribe = unsubscribe;
    this.#slot = slot;
  }

  makeId(mayChange: boolean): number {
    this.#count = (this.#count + 2) % IDS_OF_A_SLOT;
    return (this.#slot ?? 0) * IDS_OF_A_SLOT + this.#count + (mayChange ? 1 : 0);
  }

  /** Stores the responses in a message that belong to other nodes, and notifies these. */
  async forward({ identity: { key } }: ClusterSession, message: IncomingMessage): Promise<void> {
    const messages = message.kind === "batch" ? message.messages : [message];
    for (const { kind, value } of messages) {
      const mayRespond = (kind === "response" || kind === "invalid") && isObject(value) && value.method === undefined;
      if (mayRespond && typeof value.id === "number") await this.#forward(key, value.id, JSON.stringify(value));
    }
  }

  /** Passes cancellations on to the nodes that serve the session. */
  async forwardCancellations({ identity }: ClusterSession, message: IncomingMessage): Promise<void> {
    const messages = message.kind === "batch" ? message.messages : [message];
    for (const { kind, value } of messages) {
      if (kind !== "notification" || value.method !== "notifications/cancelled") continue;
      const text = JSON.stringify({ cancel: value.params });
      if (text.length <= MAX_CANCEL_CHARS) await publishTwice(this.#backplane, identity.key, text, this.#isStopped);
    }
  }

  async #forward(session: string, id: number, text: string): Promise<void> {
    const slot = Math.floor(id / IDS_OF_A_SLOT);
    if (slot === this.#slot || id < 0) return;
    const options = { ttlMs: RESPONSE_TTL_MS, when: "absent" } as const;
    // The first response counts: a further one is not stored. That may also be an attempt that seemed to fail, so its node hears of it again.
    await twiceFromEngine(() => this.#backplane.put(responseKey(session, id), text, options));
    const message = JSON.stringify({ session, id });
    void retry(() => this.#backplane.publish(keyOf(slot), message), this.#isStopped);
  }

  async #hear(text: string): Promise<void> {
    const value: unknown = text === "" ? undefined : JSON.parse(text);
    if (!isObject(value)) return;
    const session = this.#sessions.get(String(value.session));
    if (session !== undefined) await this.#take(session, Number(value.id));
  }

  /** Looks for the responses to all open requests. */
  #missed(): void {
    for (const session of this.#sessions.values()) {
      for (const id of session.connection.session?.requests.ids ?? []) void this.#take(session, Number(id));
    }
  }

  async #take(session: ClusterSession, id: number): Promise<void> {
    const key = responseKey(session.identity.key, id);
    const isStopped = (): boolean => this.#isClosed || session.isClosed;
    const found = await retry(() => this.#backplane.get(key), isStopped);
    if (found === undefined) return;
    this.#backplane.drop(key).catch(() => undefined); // its time runs out
    session.connection.receive(found.text, SILENT);
  }

  close(): void {
    this.#isClosed = true;
    this.#unsubscribe?.();
  }
}

/** Whether the request with this id came from a tool that may change something: odd ids, so that every node can tell. */
export const mayChange = (id: Id): boolean => typeof id === "number" && id % 2 === 1;

const responseKey = (session: string, id: number): string => `a:${session}:${id}`;
