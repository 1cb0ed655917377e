/** The recorder: gathers the records of a run, and notices at once what no fault excuses. */
import { recordingFetch, type WireEvent, type WireObserver, type WireStream } from "../clients/recording-fetch.ts";
import type { CallRecord, ChangeRecord, ClientRecord, ConnectionRecord, FaultRecord, SubscriptionRecord } from "./records.ts";

/** An event stream of a client that ended before its client closed. */
export interface BrokenStream {
  readonly at: number;
  readonly client: ClientRecord;
  readonly isListener: boolean;
  /** The server ended it; otherwise its connection broke. */
  readonly isComplete: boolean;
}

export class Recorder {
  readonly startedAt: number;
  readonly calls = new Map<string, CallRecord>();
  readonly subscriptions: SubscriptionRecord[] = [];
  readonly changes: ChangeRecord[] = [];
  readonly faults: FaultRecord[] = [];
  readonly brokenStreams: BrokenStream[] = [];
  /** Sentences on what must never happen. */
  readonly violations: string[] = [];
  /** Counts of HTTP statuses, by "METHOD status". */
  readonly statuses = new Map<string, number>();
  events = 0;
  readonly #events = new Map<string, Map<string, string>>();
  /** Ids of requests that have a response on a stream, by session. */
  readonly #responses = new Map<string, Set<string>>();

  constructor(startedAt = Date.now()) {
    this.startedAt = startedAt;
  }

  fetchOf(client: ClientRecord, connection: ConnectionRecord, fetch = globalThis.fetch): typeof globalThis.fetch {
    const observer: WireObserver = {
      onStatus: (status, method, isListener) => {
        const key = `${method} ${status}`;
        this.statuses.set(key, (this.statuses.get(key) ?? 0) + 1);
        if (isListener && status >= 500) connection.wasRefusedListener = true;
      },
      onEvent: (event) => this.#onEvent(client, event),
      onStreamEnd: ({ isListener }: WireStream, isComplete) => {
        if (!connection.isClosing) this.brokenStreams.push({ at: Date.now(), client, isListener, isComplete });
      },
    };
    return recordingFetch(observer, fetch);
  }

  forget(session: string): void {
    this.#events.delete(session);
    this.#responses.delete(session);
  }

  #onEvent(client: ClientRecord, { session, id, data }: WireEvent): void {
    if (data === "") return; // only an id, at the start of a stream
    this.events++;
    if (session === undefined) return;
    if (id !== undefined) this.#checkEventId(client, session, id, data);
    const message = JSON.parse(data) as { id?: unknown; method?: unknown }; // what a server sends
    if (message.method !== undefined || message.id === undefined || message.id === null) return;
    const answered = this.#responses.get(session) ?? new Set();
    const key = JSON.stringify(message.id);
    if (answered.has(key))
      this.violations.push(`I3: ${client.name} (${client.kind}) got two responses to request ${key}: ${data.slice(0, 200)}`);
    this.#responses.set(session, answered.add(key));
  }

  #checkEventId(client: ClientRecord, session: string, id: string, data: string): void {
    const events = this.#events.get(session) ?? new Map<string, string>();
    this.#events.set(session, events);
    const earlier = events.get(id);
    if (earlier !== undefined)
      this.violations.push(
        earlier === data
          ? `I2: ${client.name} (${client.kind}) got event ${id} twice: ${data.slice(0, 200)}`
          : `I2: ${client.name} (${client.kind}) got two events with the id ${id}: ${earlier.slice(0, 100)} and ${data.slice(0, 100)}`,
      );
    events.set(id, data);
  }
}
