// Subscriber: one connection that receives the messages of channels, and subscribes to them again after each loss.
import { Redis } from "ioredis";
import { cut, type ConnectionOptions } from "./client.ts";
import { withDeadline } from "./deadline.ts";

export interface SubscriberEvents {
  onMessage(channel: string, text: string): void;
  /** All channels are subscribed; messages before may be lost. */
  onReady(channels: Iterable<string>): void;
  /** The engine has ended subscriptions: another node of the cluster has their channels now. */
  onMoved(): void;
}

const CHECK_INTERVAL_MS = 1000;

export class Subscriber {
  readonly #redis: Redis;
  readonly #answerMs: number;
  readonly #events: SubscriberEvents;
  readonly #channels = new Set<string>();
  readonly #timer: NodeJS.Timeout;
  #isReady = false;
  #waiting: (() => void)[] = [];

  constructor(options: ConnectionOptions, events: SubscriberEvents) {
    this.#events = events;
    this.#answerMs = options.commandTimeout;
    this.#redis = new Redis({ ...options, autoResubscribe: false, maxRetriesPerRequest: null });
    this.#redis.on("error", () => {}); // it reconnects
    this.#redis.on("ready", () => void this.#subscribeAll());
    this.#redis.on("close", () => (this.#isReady = false));
    this.#redis.on("moved", () => events.onMoved());
    this.#redis.on("smessage", (channel: string, text: string) => events.onMessage(channel, text));
    this.#timer = setInterval(() => void this.#check(), CHECK_INTERVAL_MS).unref();
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  get channelCount(): number {
    return this.#channels.size;
  }

  /** Resolves once the channel is subscribed, or when that takes too long: then `onReady` follows. */
  async add(channel: string): Promise<void> {
    this.#channels.add(channel);
    try {
      if (this.#isReady) await withDeadline(this.#redis.ssubscribe(channel), this.#answerMs);
      else await withDeadline(new Promise<void>((resolve) => this.#waiting.push(resolve)), this.#answerMs);
    } catch {
      if (this.#isReady) cut(this.#redis);
    }
  }

  remove(channel: string): void {
    if (!this.#channels.delete(channel) || !this.#isReady) return;
    this.#redis.sunsubscribe(channel).catch(() => cut(this.#redis));
  }

  close(): void {
    clearInterval(this.#timer);
    this.#isReady = false;
    this.#redis.disconnect();
    cut(this.#redis);
  }

  async #subscribeAll(): Promise<void> {
    try {
      // Channels that come and go meanwhile follow on the same connection, in their order.
      this.#isReady = true;
      const channels = [...this.#channels];
      // One command for each: those of one command must belong to one slot of a cluster.
      await withDeadline(Promise.all(channels.map((channel) => this.#redis.ssubscribe(channel))), this.#answerMs + channels.length);
      this.#events.onReady(channels);
      for (const resolve of this.#waiting.splice(0)) resolve();
    } catch {
      cut(this.#redis);
    }
  }

  /** Notices a paused engine and a cut network: a subscriber only waits. */
  async #check(): Promise<void> {
    if (!this.#isReady) return;
    try {
      await withDeadline(this.#redis.ping(), this.#answerMs);
    } catch {
      cut(this.#redis);
    }
  }
}
