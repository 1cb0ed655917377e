// ClusterSessions: the sessions that this node serves now. Any node makes one from its record, and forgets it when it no longer serves it.
import type { Auth } from "@oarlock/server-kit";
import { type Caller, HttpError, noSession, randomId, type IncomingMessage } from "@oarlock/server-kit/transport";
import { digestOf } from "../backplane/digest.ts";
import { LIST_CHANGES } from "../changes/cluster-changes.ts";
import { fromEngine, twiceFromEngine } from "../node/engine-away.ts";
import type { NodeContext } from "../node/node-context.ts";
import { OwnedKeys } from "../node/owned-keys.ts";
import { type SessionIdentity, ClusterSession } from "./cluster-session.ts";
import { decodeRecord, encodeRecord, ownerOf, sessionKey, type SessionRecord, ttlOf } from "./session-record.ts";

export class ClusterSessions {
  protected readonly node: NodeContext;
  readonly #byKey: Map<string, ClusterSession>;
  readonly #byId = new Map<string, ClusterSession>();
  /** Sessions that are not stored yet. */
  protected beginning = 0;
  readonly #owned: OwnedKeys;
  readonly #opening = new Map<string, Promise<ClusterSession>>();

  constructor(node: NodeContext, byKey: Map<string, ClusterSession>) {
    this.node = node;
    this.#byKey = byKey;
    this.#owned = new OwnedKeys(node.backplane, "so");
  }

  get isFull(): boolean {
    return this.#byId.size + this.beginning >= this.node.limits.sessions;
  }

  /** Open sessions of a caller on all nodes. */
  countOf(caller: string): Promise<number> {
    return fromEngine(digestOf(caller).then((counted) => this.#owned.count(counted)));
  }

  [Symbol.iterator](): IterableIterator<ClusterSession> {
    return this.#byId.values();
  }

  // ── new sessions ──────────────────────────────────────────────────────────────────────────────────────────────────

  /** Takes `initialize`. Returns the response, and the session's id where it is open: it is stored by then. */
  async initialize(
    message: IncomingMessage,
    auth: Auth | undefined,
    caller: Caller | undefined,
  ): Promise<{ text: string | undefined; id?: string }> {
    const { backplane, lease, limits } = this.node;
    const id = randomId();
    const principal = auth?.principal;
    const identity = { id, key: await sessionKey(id), principal, caller: caller?.name };
    const counted = caller === undefined ? undefined : await digestOf(caller.name);
    let session: ClusterSession | undefined;
    this.beginning++;
    try {
      // Several that begin at the same time got the same answer from `countOf`.
      if (counted !== undefined) caller?.checkSessions(await fromEngine(this.#owned.add(counted, identity.key)));
      const [owner, listChanges] = await fromEngine(Promise.all([ownerOf(principal), backplane.get(LIST_CHANGES), lease.acquire()]));
      const record: SessionRecord = {
        owner,
        caller: counted,
        params: {},
        ready: false,
        uris: [],
        delivered: 0,
        listChanges: listChanges?.version ?? 0,
      };
      session = new ClusterSession(this.node, identity, record);
      const { text, isOpen } = await session.initialize(message, auth);
      if (!isOpen) return { text };
      await fromEngine(this.#follow(session));
      const options = { ttlMs: ttlOf(record, limits), when: "absent" } as const;
      session.version = (await fromEngine(backplane.put(identity.key, encodeRecord(session.record), options))) ?? 0;
      this.#add(session);
      return { text, id };
    } finally {
      this.beginning--;
      if (!this.#byId.has(id)) {
        session?.close();
        void this.#uncount(counted, identity.key);
      }
    }
  }

  /** Where it fails, the session is found to be gone when the caller's are counted. */
  async #uncount(caller: string | undefined, key: string): Promise<void> {
    if (caller !== undefined) await this.#owned.remove(caller, key).catch(() => undefined);
  }

  /** Hears what other nodes have to say about a session, until it is closed here. */
  async #follow(session: ClusterSession): Promise<void> {
    const { key } = session.identity;
    const unsubscribe = await this.node.backplane.subscribe(
      key,
      (text) => session.hear(text),
      () => session.missed(),
    );
    session.onClose = () => {
      unsubscribe();
      this.#byId.delete(session.identity.id);
      this.#byKey.delete(key);
    };
    if (session.isClosed) session.onClose();
  }

  #add(session: ClusterSession): void {
    if (session.isClosed) return;
    this.#byId.set(session.identity.id, session);
    this.#byKey.set(session.identity.key, session);
  }

  // ── known sessions ────────────────────────────────────────────────────────────────────────────────────────────────

  async find(id: string, principal: string | undefined): Promise<ClusterSession | undefined> {
    const known = this.#byId.get(id);
    if (known !== undefined && known.identity.principal !== principal) return undefined;
    try {
      if (known === undefined) return await this.#open(id, principal);
      known.lastUsedAt = performance.now();
      await this.touch(known);
      return known;
    } catch (error) {
      if (error instanceof HttpError && error.status === 404) return undefined;
      throw error;
    }
  }

  /** Prolongs the life of a session, and brings it up to date. Throws an HttpError when it has ended. */
  async touch(session: ClusterSession): Promise<void> {
    const { backplane, limits } = this.node;
    session.touchedAt = performance.now();
    const version = await twiceFromEngine(() => backplane.touch(session.identity.key, ttlOf(session.record, limits)));
    if (version === undefined) session.close();
    if (session.isClosed) throw noSession();
    if (version !== session.version) await twiceFromEngine(() => session.refresh());
  }

  async #open(id: string, principal: string | undefined): Promise<ClusterSession> {
    const name = JSON.stringify([id, principal]);
    const opening = this.#opening.get(name) ?? this.#restore(id, principal).finally(() => this.#opening.delete(name));
    this.#opening.set(name, opening);
    return opening;
  }

  async #restore(id: string, principal: string | undefined): Promise<ClusterSession> {
    const { backplane } = this.node;
    const identity: SessionIdentity = { id, key: await sessionKey(id), principal };
    const found = await twiceFromEngine(() => backplane.get(identity.key));
    if (found === undefined) throw noSession();
    const record = decodeRecord(found.text);
    if (record.owner !== (await ownerOf(principal))) throw noSession();
    const session = new ClusterSession(this.node, identity, record);
    try {
      session.restore(record, found.version);
      await fromEngine(this.#follow(session));
      // Again, now that no change can be missed.
      await this.touch(session);
    } catch (error) {
      session.close();
      throw error instanceof HttpError
        ? error
        : new HttpError(503, "This node cannot serve the session.", { headers: ["Retry-After", "1"] });
    }
    this.#add(session);
    return session;
  }

  /** Ends a session on all nodes. */
  async end(session: ClusterSession): Promise<void> {
    const { key } = session.identity;
    await fromEngine(this.node.backplane.drop(key));
    await this.#uncount(session.record.caller, key);
    session.close();
  }

  // ── clock ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Prolongs the life of sessions that work or read here, and forgets those that do not. */
  tick(now: number): void {
    const { limits, times } = this.node;
    for (const session of this.#byId.values()) {
      session.standing.tick();
      if (!session.isIdle) {
        session.lastUsedAt = now;
        const ttlMs = ttlOf(session.record, limits);
        if (now - session.touchedAt >= ttlMs / 3) void this.touch(session).catch(() => undefined);
      } else if (now - session.lastUsedAt >= times.lingerMs) {
        session.close();
      }
    }
  }
}
