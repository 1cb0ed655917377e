// ValkeyBackplane: records, logs, messages and buckets in Valkey or Redis.
import {
  LOG_BYTES,
  RecordMissing,
  StreamRefused,
  type Addition,
  type AppendResult,
  type Backplane,
  type BackplaneRecord,
  type LogPart,
  type PutOptions,
  type ReadOptions,
} from "@oarlock/cluster/backplane";
import type { Address } from "./address.ts";
import type { Client } from "./client.ts";
import { Commands } from "./commands.ts";
import { probe, type Mode } from "./probe.ts";
import type { StoredEntry } from "./scripts.ts";
import { Subscriptions } from "./subscriptions.ts";

const RETRY_MS = 250;

export class ValkeyBackplane implements Backplane {
  readonly #address: Address;
  readonly #prefix: string;
  readonly #subscriptions: Subscriptions;
  #commands: Commands | undefined;
  #isClosed = false;
  /** Why the engine refuses the address; found out after the start. */
  #refusal: string | undefined;

  /** @param mode Of the engine; undefined: it did not answer yet. */
  constructor(address: Address, prefix: string, mode: Mode | undefined) {
    this.#address = address;
    this.#prefix = prefix;
    this.#subscriptions = new Subscriptions(address);
    if (mode === undefined) void this.#connectLater();
    else this.#connect(mode);
  }

  get isUp(): boolean {
    return this.#commands?.isUp ?? false;
  }

  async get(key: string): Promise<BackplaneRecord | undefined> {
    const [record] = this.#keysOf(key);
    const [text, version] = await this.#run((client) => client.hmget(record, "text", "version"));
    return typeof text === "string" ? { text, version: Number(version) } : undefined;
  }

  async put(key: string, text: string, { ttlMs, when }: PutOptions): Promise<number | undefined> {
    const version = await this.#run((client) => client.backplanePut(...this.#keysOf(key), text, Math.ceil(ttlMs), String(when ?? "")));
    return version === 0 ? undefined : version;
  }

  async touch(key: string, ttlMs: number): Promise<number | undefined> {
    const version = await this.#run((client) => client.backplaneTouch(...this.#keysOf(key), Math.ceil(ttlMs)));
    return version === 0 ? undefined : version;
  }

  async drop(key: string): Promise<void> {
    await this.#run((client) => client.backplaneDrop(...this.#keysOf(key), this.#channelOf(key)));
  }

  async append(key: string, { stream, writer, replaces, about = "", texts, isLast = false }: Addition): Promise<AppendResult> {
    const outcome = await this.#run((client) =>
      client.backplaneAppend(
        ...this.#keysOf(key),
        stream === undefined ? "" : String(stream),
        writer,
        replaces === undefined ? "" : `=${replaces}`,
        about,
        isLast ? "1" : "",
        LOG_BYTES,
        this.#channelOf(key),
        ...texts,
      ),
    );
    if (outcome[0] === "missing") throw new RecordMissing(key);
    if (outcome[0] === "refused") throw new StreamRefused(outcome[1]);
    return { stream: outcome[1], position: outcome[2] };
  }

  async read(key: string, after: number, { stream, limit = 1000 }: ReadOptions = {}): Promise<LogPart> {
    const found = await this.#run((client) =>
      client.backplaneRead(...this.#keysOf(key), after, limit, stream === undefined ? "" : String(stream)),
    );
    if (found === null) throw new RecordMissing(key);
    const [stored, owner, position, ended, about] = found;
    const entries = stored.map(toEntry);
    if (owner === null) return { entries };
    return { entries, stream: { owner, position: Number(position), isEnded: ended !== null, about } };
  }

  async publish(topic: string, text: string): Promise<void> {
    await this.#run((client) => client.spublish(this.#channelOf(topic), text));
  }

  subscribe(topic: string, onMessage: (text: string) => void, onMissed: () => void): Promise<() => void> {
    return this.#subscriptions.subscribe(this.#channelOf(topic), onMessage, onMissed);
  }

  async take(bucket: string, want: number, perSecond: number, burst: number): Promise<number> {
    return this.#run((client) => client.backplaneTake(`{${this.#prefix}:${bucket}}b`, want, perSecond, burst));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#subscriptions.close();
    this.#commands?.close();
  }

  async #run<T>(command: (client: Client) => Promise<T>): Promise<T> {
    if (this.#isClosed) throw new Error("The backplane is closed.");
    if (this.#commands === undefined) throw new Error(this.#refusal ?? `The engine at ${this.#address.name} does not answer.`);
    return this.#commands.run(command);
  }

  #connect(mode: Mode): void {
    this.#commands = new Commands(this.#address, mode);
    this.#subscriptions.start(this.#commands.client);
  }

  async #connectLater(): Promise<void> {
    while (!this.#isClosed && this.#commands === undefined) {
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref());
      try {
        const mode = await probe(this.#address);
        if (mode !== undefined && !this.#isClosed) this.#connect(mode);
      } catch (error) {
        this.#refusal = error instanceof Error ? error.message : String(error);
      }
    }
  }

  /** The braces make one slot of a cluster of them. */
  #keysOf(key: string): [record: string, log: string, state: string] {
    const tag = `{${this.#prefix}:${key}}`;
    return [`${tag}r`, `${tag}l`, `${tag}s`];
  }

  #channelOf(topic: string): string {
    return `{${this.#prefix}:${topic}}m`;
  }
}

function toEntry([id, [, stream, , previous, , text]]: StoredEntry): LogPart["entries"][number] {
  return { position: Number(id.slice(2)), stream: Number(stream), previous: Number(previous), text };
}
