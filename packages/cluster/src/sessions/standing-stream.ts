// StandingStream: what belongs to no request of a session. Any node writes to it; the node whose client reads it watches the resources
// that the client subscribes to.
import type { Connection, Feature } from "@oarlock/server-kit/transport";
import { LIST_CHANGES } from "../changes/cluster-changes.ts";
import type { NodeContext } from "../node/node-context.ts";
import type { LogReader } from "./log-reader.ts";
import { LogWriter } from "./log-writer.ts";
import type { SessionLog } from "./session-log.ts";
import type { SessionRecord } from "./session-record.ts";

const STREAM = 0;

/** All nodes write under this name, as none of them owns the stream. */
const WRITER = "all";

const FEATURES: readonly Feature[] = ["tools", "resources", "prompts"];

interface OwnSession {
  readonly connection: Connection;
  readonly log: SessionLog;
  readonly record: SessionRecord;
  readonly isClosed: boolean;
  change(update: (record: SessionRecord) => SessionRecord): Promise<void>;
}

export class StandingStream {
  readonly #node: NodeContext;
  readonly #session: OwnSession;
  #writer: LogWriter | undefined;
  #reader: LogReader | undefined;
  /** This node watches the client's resources: it was the last one where the client read the stream. */
  #isWatching = false;
  /** The number of list changes up to which the client was notified here. */
  #listChanges = 0;

  constructor(node: NodeContext, session: OwnSession) {
    this.#node = node;
    this.#session = session;
  }

  /** Whether the client reads the stream, here or on another node. */
  get isRead(): boolean {
    const { reader } = this.#session.record;
    return this.#reader !== undefined || (reader !== undefined && reader !== this.#node.lease.writer);
  }

  notify(text: string): void {
    const { times } = this.#node;
    const { log } = this.#session;
    this.#writer ??= new LogWriter({
      log,
      stream: STREAM,
      writer: () => WRITER,
      responseWaitMs: times.responseWaitMs,
      onRefused: () => (this.#writer = undefined),
    });
    this.#writer.add(text);
  }

  /**
   * Makes this node the one where the client reads the stream, in place of any other. `after`: position that the client has reached.
   * Returns what connects the client.
   */
  async takeOver(after: number | undefined): Promise<(reader: LogReader) => void> {
    const session = this.#session;
    const { backplane, lease } = this.#node;
    const reader = await lease.acquire();
    const listChanges = (await backplane.get(LIST_CHANGES))?.version ?? 0;
    const delivered = Math.max(session.record.delivered, this.#reader?.position ?? 0, after ?? 0);
    const isNotified = this.#isWatching || session.record.listChanges === listChanges;
    const isNew = !this.#isWatching;
    await session.change((record) => ({ ...record, reader, listChanges, delivered: Math.max(record.delivered, delivered) }));
    return (connection) => {
      this.#reader?.disconnect();
      this.#reader = connection;
      this.#isWatching = true;
      connection.begin(STREAM, after ?? delivered, { acceptsHole: after === undefined });
      connection.prime();
      void connection.read();
      if (isNew) this.#tell(isNotified ? [] : FEATURES);
    };
  }

  /** Notifies of what may have changed while this node did not watch. */
  #tell(features: readonly Feature[]): void {
    const { connection } = this.#session;
    const { capabilities } = this.#node.runtime.server;
    for (const feature of features) if (capabilities[feature]?.listChanged === true) connection.listChanged(feature);
    this.update(true);
  }

  /** A connection of the stream has ended: the client may come back, here or elsewhere. */
  disconnected(reader: LogReader): void {
    if (this.#reader !== reader) return;
    this.#reader = undefined;
    if (this.#session.isClosed) return;
    const { writer } = this.#node.lease;
    const delivered = reader.position;
    const change = this.#session.change((record) => ({
      ...record,
      delivered: Math.max(record.delivered, delivered),
      ...(record.reader === writer && { reader: undefined }),
    }));
    change.catch(() => undefined); // the next reader takes over all the same
  }

  /** Called with each change of the record. */
  update(tellsAll = false): void {
    const { record, connection } = this.#session;
    const { subscriptions } = connection.watches;
    const { writer } = this.#node.lease;
    if (record.reader !== undefined && record.reader !== writer) this.#stopReading();
    const watched = new Set(subscriptions.uris);
    for (const uri of watched) if (!record.uris.includes(uri)) subscriptions.remove(uri);
    if (!this.#isWatching) return;
    for (const uri of record.uris) if (tellsAll || !watched.has(uri)) void this.#watch(uri);
  }

  async #watch(uri: string): Promise<void> {
    const { connection } = this.#session;
    if (connection.session === undefined) return;
    await connection.watches.watch(connection.session, uri);
    // It may have changed before it was watched here.
    connection.watches.subscriptions.changed(uri);
  }

  /** Another node has the client's connection now. */
  #stopReading(): void {
    this.#isWatching = false;
    this.#session.connection.watches.subscriptions.clear();
    const reader = this.#reader;
    this.#reader = undefined;
    reader?.disconnect();
  }

  /** Takes a change that a node has noticed; `count` is the number of changes so far. */
  listChanged(feature: Feature, count: number): void {
    if (!this.#isWatching) return;
    this.#session.connection.listChanged(feature);
    if (count > this.#listChanges) this.#listChanges = count;
  }

  resourceChanged(uri: string): void {
    if (this.#isWatching) this.#session.connection.watches.subscriptions.changed(uri);
  }

  /** Another node has got other roots from the client: resources outside of them can no longer be watched. */
  rootsChanged(): void {
    const { session, watches } = this.#session.connection;
    const { followsRoots } = this.#node.runtime.server.spec;
    if (this.#isWatching && followsRoots === true && session !== undefined) void watches.renew(session);
  }

  missed(): void {
    if (this.#isWatching) this.#tell(FEATURES);
  }

  /** Called by the clock: lets the next reader's node know what the client was notified of. */
  tick(): void {
    const { record } = this.#session;
    const { writer } = this.#node.lease;
    const listChanges = this.#listChanges;
    const delivered = this.#reader?.position ?? 0;
    if (record.listChanges >= listChanges || record.reader !== writer) return;
    const save = this.#session.change((now) =>
      now.reader === writer ? { ...now, listChanges, delivered: Math.max(now.delivered, delivered) } : now,
    );
    save.catch(() => undefined); // a notification too many does no harm
  }

  close(): void {
    this.#writer?.stop();
    this.#isWatching = false;
  }
}
