// ClusterTaskStore: keeps the tasks of all nodes on their backplane. A task is a record; a log for each owner names the owner's tasks.
import { INTERNAL_ERROR, McpError } from "@oarlock/server-kit/protocol";
import { ended, hasEnded, isAfter, type RelayingTaskStore, type TaskPosition, type TaskRecord } from "@oarlock/extensions/tasks";
import { type Backplane, RecordMissing } from "../backplane/backplane.ts";
import { digestOf } from "../backplane/digest.ts";
import { fromEngine } from "../node/engine-away.ts";
import type { NodeLease } from "../node/node-lease.ts";
import { OwnedKeys } from "../node/owned-keys.ts";
import { keyOfTask, readRelay, relay } from "./task-relay.ts";
import { TaskWatch } from "./task-watch.ts";

/** A log has one writer; all nodes write as this one. */
const INDEX_WRITER = "tasks";
const INDEX_STREAM = 1;

/** Tasks of one owner on all nodes, as one process bounds them. A call beyond is answered without a task. */
const MAX_OF_OWNER = 1000;

/** Tasks that are read at the same time for a list. */
const READS = 50;

const NODE_GONE = "The node that ran this task has ended. Whether it took effect is not known: check that, then retry the call.";

interface StoredTask extends TaskRecord {
  /** The node that runs it. */
  readonly node: string;
}

type Lease = Pick<NodeLease, "acquire" | "isRunning">;

export class ClusterTaskStore implements RelayingTaskStore {
  readonly #backplane: Backplane;
  readonly #lease: Lease;
  readonly #maxMs: number;
  readonly #maxOfOwner: number;
  readonly #owned: OwnedKeys;
  /** Tasks that run on this node. */
  readonly #own = new Set<string>();
  readonly #watches = new Map<string, TaskWatch>();

  /** `maxMs`: the longest run of a task, in milliseconds. */
  constructor(backplane: Backplane, lease: Lease, maxMs: number, maxOfOwner = MAX_OF_OWNER) {
    this.#backplane = backplane;
    this.#maxOfOwner = maxOfOwner;
    this.#owned = new OwnedKeys(backplane, "tn");
    this.#lease = lease;
    this.#maxMs = maxMs;
  }

  async create(task: TaskRecord): Promise<boolean> {
    const [owner, key] = [await digestOf(task.owner), keyOfTask(task.id)];
    if ((await this.#owned.count(owner)) >= this.#maxOfOwner) return false;
    // Others may have come between.
    const isTaken = (await this.#owned.add(owner, key)) < this.#maxOfOwner && (await this.#store(key, task));
    if (!isTaken) await this.#owned.remove(owner, key);
    return isTaken;
  }

  async #store(key: string, task: TaskRecord): Promise<boolean> {
    const stored: StoredTask = { ...task, node: await this.#lease.acquire() };
    const ttlMs = this.#maxMs + task.ttlMs;
    if ((await this.#backplane.put(key, JSON.stringify(stored), { ttlMs, when: "absent" })) === undefined) return false;
    await this.#addToIndex(task, ttlMs);
    this.#own.add(task.id);
    return true;
  }

  async #addToIndex({ owner, id, createdAt }: TaskRecord, ttlMs: number): Promise<void> {
    const key = await indexKeyOf(owner);
    if ((await this.#backplane.touch(key, ttlMs)) === undefined) await this.#backplane.put(key, "", { ttlMs, when: "absent" });
    const position: TaskPosition = { createdAt, id };
    await this.#backplane.append(key, { stream: INDEX_STREAM, writer: INDEX_WRITER, texts: [JSON.stringify(position)] });
  }

  /** A task whose node has ended is marked as failed by the first node that reads it. */
  async get(id: string): Promise<TaskRecord | undefined> {
    for (;;) {
      const record = await answerOf(this.#backplane.get(keyOfTask(id)));
      if (record === undefined) return undefined;
      const task = { ...(JSON.parse(record.text) as StoredTask), version: record.version }; // written by this class
      if (hasEnded(task) || this.#own.has(id) || (await answerOf(this.#lease.isRunning(task.node)))) return task;
      const error = { code: INTERNAL_ERROR, message: NODE_GONE };
      const failed = { ...task, ...ended(task, { status: "failed", statusMessage: NODE_GONE, error }), version: task.version + 1 };
      if (await this.replace(failed)) return failed;
    }
  }

  async replace(task: TaskRecord): Promise<boolean> {
    const { id, version, createdAt, ttlMs } = task;
    const leftMs = hasEnded(task) ? ttlMs : Math.max(0, createdAt + this.#maxMs - Date.now()) + ttlMs;
    const options = { ttlMs: leftMs, when: version - 1 };
    if ((await answerOf(this.#backplane.put(keyOfTask(id), JSON.stringify(task), options))) === undefined) return false;
    if (hasEnded(task)) this.#own.delete(id);
    this.#watches.get(id)?.changed();
    // A message that is lost is made up for: `onMissed` of the subscribers.
    await this.#backplane.publish(keyOfTask(id), String(version)).catch(() => undefined);
    return true;
  }

  watch(id: string, onChange: () => void): () => void {
    const watch = this.#watches.get(id) ?? new TaskWatch(this.#backplane, keyOfTask(id), () => this.#own.has(id));
    this.#watches.set(id, watch);
    return watch.add(onChange, () => this.#watches.delete(id));
  }

  async list(owner: string, after: TaskPosition | undefined, limit: number): Promise<readonly TaskRecord[]> {
    const positions = (await this.#readIndex(owner)).filter((position) => after === undefined || isAfter(position, after));
    positions.sort((one, other) => (isAfter(one, other) ? 1 : -1));
    const found: TaskRecord[] = [];
    for (let at = 0; at < positions.length && found.length < limit; at += READS) {
      const tasks = await Promise.all(positions.slice(at, at + READS).map(({ id }) => this.get(id)));
      for (const task of tasks) if (task !== undefined) found.push(task); // the others have expired
    }
    return found.slice(0, limit);
  }

  async #readIndex(owner: string): Promise<TaskPosition[]> {
    const key = await indexKeyOf(owner);
    const positions: TaskPosition[] = [];
    try {
      for (let last = 0; ;) {
        const { entries } = await answerOf(this.#backplane.read(key, last));
        const end = entries.at(-1);
        if (end === undefined) return positions;
        positions.push(...entries.map(({ text }) => JSON.parse(text) as TaskPosition)); // written by #addToIndex
        last = end.position;
      }
    } catch (error) {
      if (error instanceof RecordMissing) return [];
      throw error;
    }
  }

  relay(id: string, text: string): Promise<void> {
    return relay(this.#backplane, id, text);
  }

  readRelay(id: string, send: (text: string) => void): () => void {
    return readRelay(this.#backplane, this, id, send);
  }

  /** The tasks stay on the backplane. */
  async close(): Promise<void> {
    for (const watch of this.#watches.values()) watch.close();
    this.#watches.clear();
  }
}

const AWAY = "Tasks are unavailable for the moment: the backplane does not answer. Retry shortly.";

const answerOf = <T>(call: Promise<T>): Promise<T> =>
  fromEngine(call, (error) => (error instanceof RecordMissing ? error : new McpError(INTERNAL_ERROR, AWAY)));

/** By a digest: an owner may be the name of a person, and of any length. */
const indexKeyOf = async (owner: string): Promise<string> => `to:${await digestOf(owner)}`;
