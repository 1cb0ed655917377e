// One node's connection to a backplane: a test cuts it, as a network does, and heals it.
import type { Addition, AppendResult, Backplane, BackplaneRecord, LogPart, PutOptions, ReadOptions } from "../../src/backplane.ts";

export class BackplaneLink implements Backplane {
  readonly #world: Backplane;
  readonly #onMissed = new Set<() => void>();
  /** Calls are refused: `"before"` they take effect, or `"after"`, when only the answer is lost. */
  cutAt: "before" | "after" | undefined;
  /** Calls wait for it. */
  waitsFor: Promise<void> | undefined;
  /** How many messages to this node were lost by cuts. */
  lost = 0;
  /** How many calls were made, by name. */
  readonly calls: Record<string, number> = {};

  constructor(world: Backplane) {
    this.#world = world;
  }

  get isUp(): boolean {
    return this.cutAt === undefined && this.#world.isUp;
  }

  cut(at: "before" | "after" = "before"): void {
    this.cutAt = at;
  }

  heal(): void {
    this.cutAt = undefined;
    for (const onMissed of this.#onMissed) onMissed();
  }

  #call<T>(name: string, call: () => Promise<T>): Promise<T> {
    this.calls[name] = (this.calls[name] ?? 0) + 1;
    return this.pass(call);
  }

  /** Lets a call through, or refuses it. */
  protected async pass<T>(call: () => Promise<T>): Promise<T> {
    await this.waitsFor;
    if (this.cutAt === "before") throw new Error("The backplane does not answer.");
    const result = await call();
    if (this.cutAt !== undefined) throw new Error("The backplane does not answer.");
    return result;
  }

  get(key: string): Promise<BackplaneRecord | undefined> {
    return this.#call("get", () => this.#world.get(key));
  }

  put(key: string, text: string, options: PutOptions): Promise<number | undefined> {
    return this.#call("put", () => this.#world.put(key, text, options));
  }

  touch(key: string, ttlMs: number): Promise<number | undefined> {
    return this.#call("touch", () => this.#world.touch(key, ttlMs));
  }

  drop(key: string): Promise<void> {
    return this.#call("drop", () => this.#world.drop(key));
  }

  append(key: string, addition: Addition): Promise<AppendResult> {
    return this.#call("append", () => this.#world.append(key, addition));
  }

  read(key: string, after: number, options?: ReadOptions): Promise<LogPart> {
    return this.#call("read", () => this.#world.read(key, after, options));
  }

  publish(topic: string, text: string): Promise<void> {
    return this.#call("publish", () => this.#world.publish(topic, text));
  }

  async subscribe(topic: string, onMessage: (text: string) => void, onMissed: () => void): Promise<() => void> {
    const deliver = (text: string): void => {
      if (this.cutAt === undefined) onMessage(text);
      else this.lost++;
    };
    const missed = (): void => onMissed();
    const stop = await this.#call("subscribe", () => this.#world.subscribe(topic, deliver, missed));
    this.#onMissed.add(missed);
    return () => {
      this.#onMissed.delete(missed);
      stop();
    };
  }

  take(bucket: string, want: number, perSecond: number, burst: number): Promise<number> {
    return this.#call("take", () => this.#world.take(bucket, want, perSecond, burst));
  }

  async close(): Promise<void> {
    // Other nodes of the process use it.
  }
}
