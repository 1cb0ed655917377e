// ClusterSession: a session as one node sees it: a connection that runs its requests, and the record that all nodes share.
import type { Auth } from "@oarlock/server-kit";
import { isObject, type Json } from "@oarlock/server-kit/protocol";
import {
  Connection,
  initialize,
  noSession,
  pipeChannel,
  SILENT,
  type HostedSession,
  type HttpExchange,
  type IncomingMessage,
} from "@oarlock/server-kit/transport";
import type { NodeContext } from "../node/node-context.ts";
import { LogReader } from "./log-reader.ts";
import { SessionLog } from "./session-log.ts";
import { decodeRecord, encodeRecord, type SessionRecord, ttlOf } from "./session-record.ts";
import { StandingStream } from "./standing-stream.ts";

export interface SessionIdentity {
  readonly id: string;
  readonly key: string;
  readonly principal: string | undefined;
  /** Undefined for a session that another node opened. */
  readonly caller?: string | undefined;
}

export class ClusterSession implements HostedSession {
  readonly identity: SessionIdentity;
  readonly connection: Connection;
  readonly log: SessionLog;
  readonly standing: StandingStream;
  /** Set before the first request. */
  record: SessionRecord;
  /** Version of the record; 0 when the session has to be brought up to date. */
  version = 0;
  lastUsedAt = performance.now();
  /** When the life of the record was last prolonged. */
  touchedAt = performance.now();
  /** Settles when the changes that the client has made so far are stored; undefined when they are. */
  saved: Promise<void> | undefined;
  /** Called when the session has ended here. */
  onClose: (() => void) | undefined;
  readonly #node: NodeContext;
  #changes: Promise<void> = Promise.resolve();
  #changing = 0;

  constructor(node: NodeContext, identity: SessionIdentity, record: SessionRecord) {
    this.#node = node;
    this.identity = identity;
    this.record = record;
    this.log = new SessionLog(node.backplane, identity.key);
    const standing = new StandingStream(node, this);
    this.standing = standing;
    const { caller } = identity;
    const channel = pipeChannel((text) => standing.notify(text), { isOpen: () => standing.isRead, caller });
    this.connection = new Connection(node.runtime, channel, identity.key);
    // Changes of lists reach it by messages to all nodes.
    node.runtime.connections.delete(this.connection);
  }

  get streamCount(): number {
    return this.log.readers.size;
  }

  get caller(): string | undefined {
    return this.identity.caller;
  }

  get isClosed(): boolean {
    return this.log.isClosed;
  }

  get hasPrimingEvents(): boolean {
    return this.connection.revision?.facts.primingEvent === true;
  }

  connect(exchange: HttpExchange): LogReader {
    const { backplane, limits } = this.#node;
    const reader = new LogReader(exchange, {
      backplane,
      key: this.identity.key,
      maxPending: limits.eventBytes,
      retryMs: this.hasPrimingEvents ? limits.retryMs : undefined,
      onEnd: () => {
        this.log.readers.delete(reader);
        this.standing.disconnected(reader);
      },
    });
    this.log.readers.add(reader);
    return reader;
  }

  // ── record ────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Takes the first message; returns the response to `initialize`, and whether the session is open. */
  async initialize(message: IncomingMessage, auth: Auth | undefined): Promise<{ text: string | undefined; isOpen: boolean }> {
    const text = await initialize(this.connection, message, auth);
    const { session } = this.connection;
    if (session !== undefined) {
      this.record = { ...this.record, params: session.declaration };
      this.#connect();
    }
    return { text, isOpen: session !== undefined };
  }

  /** Makes the session what another node has stored. */
  restore(record: SessionRecord, version: number): void {
    if (this.connection.session === undefined) {
      this.connection.open(record.params);
      this.#connect();
    }
    const hasNewRoots = JSON.stringify(record.roots?.roots) !== JSON.stringify(this.record.roots?.roots);
    this.record = record;
    this.version = version;
    this.connection.session?.restore(record);
    this.standing.update();
    if (hasNewRoots) this.standing.rootsChanged();
  }

  #connect(): void {
    const { session } = this.connection;
    if (session === undefined) return;
    session.requests.makeId = (mayChange) => this.#node.makeRequestId(mayChange);
    session.onChange = (change) => {
      const stored = this.change((record) => ({ ...record, ...change(record) }));
      this.saved = stored;
      const settle = (): void => {
        if (this.saved === stored) this.saved = undefined;
      };
      stored.then(settle, settle);
    };
  }

  /** Brings the session up to date. Throws an HttpError when it does not exist any more. */
  async refresh(): Promise<void> {
    const found = await this.#node.backplane.get(this.identity.key);
    if (found === undefined) {
      this.close();
      throw noSession();
    }
    if (found.version > this.version) this.restore(decodeRecord(found.text), found.version);
    // An engine that failed over may have forgotten the newest change: this node keeps it, and stores it with its next one.
    else this.version = found.version;
  }

  /** Changes the record, again where another node was faster. Settles when the change is stored. */
  change(update: (record: SessionRecord) => SessionRecord): Promise<void> {
    const stored = this.#changes.then(() => this.#store(update));
    const settled = stored.catch(() => {
      // What this session holds may differ from the record.
      this.version = 0;
    });
    this.#changes = settled;
    this.#changing++;
    void settled.then(() => this.#changing--);
    return stored;
  }

  async #store(update: (record: SessionRecord) => SessionRecord): Promise<void> {
    const { backplane, limits } = this.#node;
    const { key } = this.identity;
    for (let isRepeated = false; ; isRepeated = true) {
      if (this.isClosed) throw noSession();
      if (this.version === 0) await this.refresh();
      const record = update(this.record);
      const version = await backplane.put(key, encodeRecord(record), { ttlMs: ttlOf(record, limits), when: this.version });
      if (version === undefined) {
        await this.refresh();
        continue;
      }
      if (isRepeated) this.restore(record, version);
      this.record = record;
      this.version = version;
      this.standing.update();
      // Who misses it notices the version at the next request.
      return backplane.publish(key, JSON.stringify({ version })).catch(() => undefined);
    }
  }

  /** Whether nothing runs, is read or is stored here. */
  get isIdle(): boolean {
    return this.connection.running === 0 && this.log.readers.size === 0 && this.log.additions.size === 0 && this.#changing === 0;
  }

  // ── messages of other nodes ───────────────────────────────────────────────────────────────────────────────────────

  /** Takes a message to all nodes that have this session. */
  hear(text: string): void {
    if (text === "") return this.close();
    if (/^\d+$/.test(text)) return this.log.advance(Number(text));
    const value: unknown = JSON.parse(text);
    if (!isObject(value)) return;
    if (isObject(value.cancel)) this.cancel(value.cancel);
    if (typeof value.version === "number" && value.version > this.version) void this.refresh().catch(() => undefined);
  }

  missed(): void {
    void this.refresh().catch(() => undefined);
    this.log.missed();
  }

  /** Cancels a request that runs here; ignores others. */
  cancel(params: Json): void {
    const value = { jsonrpc: "2.0", method: "notifications/cancelled", params } as const;
    this.connection.handle({ kind: "notification", isStateless: false, value }, SILENT);
  }

  /** Ends the session on this node, with all its work. */
  close(cause: "closed" | "shutdown" = "closed"): void {
    if (this.isClosed) return;
    this.log.close();
    this.standing.close();
    this.connection.close(cause);
    this.onClose?.();
  }
}
