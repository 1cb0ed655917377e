// NodeLease: shows the other nodes that this one is running. A node holds a slot, a small number of its own, until its lease runs out.
import { randomId } from "@oarlock/server-kit/transport";
import type { Backplane } from "../backplane/backplane.ts";
import type { NodeTimes } from "./node-times.ts";
import { retry } from "./retry.ts";

const SLOTS = 2 ** 20;

/** Pause before the next attempt when the backplane does not answer. */
const RETRY_MS = 250;

export interface NodeLeaseOptions {
  readonly backplane: Backplane;
  readonly name: string;
  readonly times: Readonly<NodeTimes>;
  /** Called with a new slot before it is used. */
  onAcquired(slot: number): Promise<void>;
  /** Called when the lease was lost: other nodes may have taken over the streams of this one. */
  onLost(): void;
}

interface OwnSlot {
  readonly slot: number;
  readonly writer: string;
  readonly text: string;
  version: number;
  /** When the last renewal was sent that succeeded, by `performance.now()`. */
  renewedAt: number;
}

export class NodeLease {
  readonly #options: NodeLeaseOptions;
  #own: OwnSlot | undefined;
  #acquiring: Promise<OwnSlot> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isReleased = false;

  constructor(options: NodeLeaseOptions) {
    this.#options = options;
  }

  /** Names this node as the writer of streams; undefined while it holds no slot. */
  get writer(): string | undefined {
    return this.#own?.writer;
  }

  /** Takes a slot, unless the node holds one. Rejects when the backplane does not answer. */
  async acquire(): Promise<string> {
    if (this.#own !== undefined) return this.#own.writer;
    this.#acquiring ??= this.#acquire().finally(() => (this.#acquiring = undefined));
    return (await this.#acquiring).writer;
  }

  async #acquire(): Promise<OwnSlot> {
    const { backplane, name, times, onAcquired } = this.#options;
    for (;;) {
      const slot = Math.floor(Math.random() * SLOTS);
      const writer = `${slot}.${randomId()}`;
      const text = JSON.stringify({ writer, name });
      const renewedAt = performance.now();
      const version = await backplane.put(keyOf(slot), text, { ttlMs: times.leaseMs, when: "absent" });
      if (version === undefined) continue;
      await onAcquired(slot);
      this.#own = { slot, writer, text, version, renewedAt };
      if (!this.#isReleased) this.#schedule(times.renewMs);
      return this.#own;
    }
  }

  #schedule(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#renew(), ms);
    (this.#timer as { unref?(): void }).unref?.();
  }

  async #renew(): Promise<void> {
    const own = this.#own;
    const { times } = this.#options;
    if (own === undefined) return;
    const sentAt = performance.now();
    try {
      if (!(await this.#isRenewed(own))) return this.#lose();
      own.renewedAt = sentAt;
      this.#schedule(times.renewMs);
    } catch {
      if (performance.now() - own.renewedAt >= times.goneMs) this.#lose();
      else this.#schedule(RETRY_MS);
    }
  }

  async #isRenewed(own: OwnSlot): Promise<boolean> {
    const { backplane, times } = this.#options;
    const key = keyOf(own.slot);
    const renew = (when: number): Promise<number | undefined> => backplane.put(key, own.text, { ttlMs: times.leaseMs, when });
    let version = await renew(own.version);
    if (version === undefined) {
      // An earlier renewal that seemed to fail may have succeeded.
      const found = await backplane.get(key);
      if (found?.text === own.text) version = await renew(found.version);
    }
    own.version = version ?? own.version;
    return version !== undefined;
  }

  #lose(): void {
    if (this.#isReleased) return;
    this.#own = undefined;
    this.#options.onLost();
    const isStopped = (): boolean => this.#isReleased;
    void retry(() => this.acquire(), isStopped, { ms: Infinity });
  }

  /** Whether the node behind a writer's name is running. */
  async isRunning(writer: string): Promise<boolean> {
    if (writer === this.writer) return true;
    const found = await this.#options.backplane.get(keyOf(Number.parseInt(writer, 10)));
    return found !== undefined && (JSON.parse(found.text) as { writer?: string }).writer === writer; // written by a node
  }

  /** Stops the signs of life, as if the process had ended. */
  stop(): void {
    this.#isReleased = true;
    clearTimeout(this.#timer);
  }

  /** Gives the slot back. */
  async release(): Promise<void> {
    this.stop();
    const own = this.#own;
    if (own !== undefined) await this.#options.backplane.drop(keyOf(own.slot));
  }
}

/** Key of the record of a node, and topic of the messages to it. */
export const keyOf = (slot: number): string => `n:${slot}`;
