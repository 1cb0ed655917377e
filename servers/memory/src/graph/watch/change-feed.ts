// News of the graph, from this process and from others on the same store. Others are looked for only while somebody listens.
import { lastIds, lastPurge, lastSeq, type Ids } from "../jsonl/mirror-state.ts";
import { ENTITY } from "../store/rows.ts";
import type { Store } from "../store/store.ts";

export type Topic =
  | { readonly kind: "any" }
  | { readonly kind: "names" }
  | { readonly kind: "entity" | "type" | "relation"; readonly of: string };

interface Watcher {
  readonly topic: Topic;
  readonly changed: () => void;
  /** Is told of what is noticed, and is no reason to look for it. */
  readonly isPassive: boolean;
}

const LOOK_EVERY = 300;
/** Changes of this process that follow within so many milliseconds are looked at together, and never before the call has its answer. */
const GATHER = 20;
/** More than this, and everybody is told. */
const MOST = 2000;

/** What has been told of. */
interface Known {
  readonly version: number;
  readonly seq: number;
  readonly ids: Ids;
}

interface Touched {
  /** What exactly is not known. */
  all: boolean;
  /** Entities came, went, or changed their names. */
  names: boolean;
  entity: Set<string>;
  type: Set<string>;
  relation: Set<string>;
}

type Ends = { source: string; target: string; type: string; sourceType: string | null; targetType: string | null };

/** The names, now, of entities that were renamed or that another has gone into. */
const MOVED = "SELECT e.name FROM turn JOIN entity e ON e.id = turn.entity WHERE turn.id > ? AND turn.kind <> 'type'";

type Turn = { kind: string; past: string; present: string; name: string; type: string };
const TURNS = `SELECT turn.kind, turn.past, turn.present, e.name, t.name AS type FROM turn
  JOIN entity e ON e.id = turn.entity JOIN type t ON t.id = e.type WHERE turn.id > ?`;

export class Changes {
  readonly #store: Store;
  readonly #watchers = new Set<Watcher>();
  #stop: (() => void) | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  #gathering: ReturnType<typeof setTimeout> | undefined;
  #known: Known = { version: 0, seq: 0, ids: { entity: 0, observation: 0, relation: 0, record: 0, turn: 0 } };

  constructor(store: Store) {
    this.#store = store;
  }

  /** Calls back after each change that touches the topic; returns the function that ends it. */
  watch(topic: Topic, changed: () => void, isPassive = false): () => void {
    // What was changed before is not told to those who begin to listen now.
    if (this.#gathering !== undefined) this.#lookNow();
    const watcher: Watcher = { topic, changed, isPassive };
    this.#watchers.add(watcher);
    this.#attend();
    return () => {
      this.#watchers.delete(watcher);
      this.#attend();
    };
  }

  /** Listens as much as is needed. */
  #attend(): void {
    const isNeeded = this.#watchers.size > 0;
    if (isNeeded && this.#stop === undefined) {
      this.#mark();
      this.#stop = this.#store.onChange(() => this.#soon());
    } else if (!isNeeded) {
      this.#stop?.();
      this.#stop = undefined;
      clearTimeout(this.#gathering);
      this.#gathering = undefined;
    }
    const mustLook = [...this.#watchers].some(({ isPassive }) => !isPassive);
    if (mustLook && this.#timer === undefined) {
      this.#timer = setInterval(() => this.#lookNow(), LOOK_EVERY);
      this.#timer.unref();
    } else if (!mustLook) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
  }

  close(): void {
    this.#watchers.clear();
    this.#attend();
  }

  #mark(): void {
    this.#known = this.#store.read(() => ({ version: this.#dataVersion(), seq: lastSeq(this.#store), ids: lastIds(this.#store) }));
  }

  /** Differs when others have changed something; what this process does leaves it as it is. */
  #dataVersion(): number {
    return this.#store.get<{ data_version: number }>("PRAGMA data_version")?.data_version ?? 0;
  }

  #soon(afterMs = GATHER): void {
    this.#gathering ??= setTimeout(() => this.#lookNow(), afterMs).unref();
  }

  /** Where the store cannot be read it is looked at again; the next call says why. */
  #lookNow(): void {
    const { busy } = this.#store;
    const hasOwn = this.#gathering !== undefined;
    clearTimeout(this.#gathering);
    this.#gathering = undefined;
    if (busy !== undefined) {
      void busy.then(() => this.#stop !== undefined && this.#soon());
      return;
    }
    try {
      if (hasOwn || this.#dataVersion() !== this.#known.version) this.#look();
    } catch {
      if (hasOwn) this.#soon(LOOK_EVERY);
    }
  }

  #look(): void {
    const before = this.#known;
    const { seq, ids } = before;
    let touched: Touched | undefined;
    try {
      this.#mark();
      if (this.#known.seq === seq) return;
      const needsMore = [...this.#watchers].some(({ topic }) => topic.kind !== "any");
      if (needsMore) touched = this.#store.read(() => this.#touched(seq, ids));
    } catch (error) {
      this.#known = before; // so that it is still new
      throw error;
    }
    for (const { topic, changed } of this.#watchers) if (concerns(topic, touched)) changed();
  }

  #touched(seq: number, ids: Ids): Touched {
    const store = this.#store;
    const touched: Touched = { all: false, names: false, entity: new Set(), type: new Set(), relation: new Set() };
    const rows = <Row>(sql: string, ...values: number[]): Row[] => {
      const found = store.all<Row>(`${sql} LIMIT ${MOST}`, ...values);
      touched.all ||= found.length === MOST;
      return found;
    };
    type Named = { name: string; type: string };
    const changed = [...rows<Named>(`${ENTITY} WHERE e.id > ?`, ids.entity), ...rows<Named>(`${ENTITY} WHERE e.ended > ?`, seq)];
    touched.names = changed.length > 0;
    const said = `SELECT DISTINCT e.name, t.name AS type FROM observation o JOIN entity e ON e.id = o.entity JOIN type t ON t.id = e.type`;
    changed.push(...rows<Named>(`${said} WHERE o.id > ?`, ids.observation), ...rows<Named>(`${said} WHERE o.ended > ?`, seq));
    for (const { name, type } of changed) {
      touched.entity.add(name);
      touched.type.add(type);
    }
    // Each with the types of what it connects: an entity is shown with its relations wherever it is shown.
    const ends = `SELECT r.source, r.target, r.type, s.name AS sourceType, t.name AS targetType FROM relation r
      LEFT JOIN entity se ON se.name = r.source AND se.ended IS NULL LEFT JOIN type s ON s.id = se.type
      LEFT JOIN entity te ON te.name = r.target AND te.ended IS NULL LEFT JOIN type t ON t.id = te.type`;
    const connected = [
      ...rows<Ends>(`${ends} WHERE r.id > ?`, ids.relation),
      ...rows<Ends>(`${ends} WHERE r.ended > ?`, seq),
      // Those that have followed a name.
      ...rows<Ends>(`${ends} WHERE r.ended IS NULL AND r.source IN (${MOVED})`, ids.turn),
      ...rows<Ends>(`${ends} WHERE r.ended IS NULL AND r.target IN (${MOVED})`, ids.turn),
    ];
    for (const { source, target, type, sourceType, targetType } of connected) {
      touched.entity.add(source).add(target);
      touched.relation.add(type);
      for (const one of [sourceType, targetType]) if (one !== null) touched.type.add(one);
    }
    for (const { kind, past, present, name, type } of rows<Turn>(TURNS, ids.turn)) {
      touched.names ||= kind !== "type";
      (kind === "type" ? touched.type : touched.entity).add(past).add(present);
      touched.entity.add(name);
      touched.type.add(type);
    }
    // Something was purged: nothing is left that would say what.
    touched.all ||= (touched.entity.size === 0 && touched.type.size === 0) || lastPurge(store) > seq;
    touched.names ||= touched.all;
    return touched;
  }
}

function concerns(topic: Topic, touched: Touched | undefined): boolean {
  if (touched === undefined || touched.all || topic.kind === "any") return true;
  if (topic.kind === "names") return touched.names;
  return touched[topic.kind].has(topic.of);
}
