// Subscriptions: the subscribers of topics. All topics of a deployment share one channel of PostgreSQL.
import { createHash } from "node:crypto";
import type { Address } from "./address.ts";
import { withDeadline } from "./deadline.ts";
import { Notices } from "./notices.ts";

interface Listener {
  readonly onMessage: (text: string) => void;
  readonly onMissed: () => void;
  /** The caller relies on the subscription, so it must learn of losses. */
  isSubscribed: boolean;
}

/** Characters of a topic in a payload. */
const TOPIC_LENGTH = 22;

/** A topic in payloads and names: short, whatever its length is. 128 bits of its digest. */
export const digestOf = (topic: string): string => createHash("sha256").update(topic).digest("base64url").slice(0, TOPIC_LENGTH);

export class Subscriptions {
  readonly #notices: Notices;
  readonly #answerMs: number;
  readonly #topics = new Map<string, Set<Listener>>();
  #waiting: (() => void)[] = [];

  constructor(address: Address, channel: string) {
    this.#answerMs = address.answerMs;
    this.#notices = new Notices(address, channel, {
      onNotice: (payload) => this.#deliver(payload),
      onReady: () => this.#reportLosses(),
    });
  }

  get isReady(): boolean {
    return this.#notices.isReady;
  }

  async subscribe(topic: string, onMessage: (text: string) => void, onMissed: () => void): Promise<() => void> {
    const listener: Listener = { onMessage, onMissed, isSubscribed: false };
    const digest = digestOf(topic);
    const listeners = this.#topics.get(digest) ?? new Set();
    this.#topics.set(digest, listeners.add(listener));
    if (!this.#notices.isReady) await this.whenReady();
    listener.isSubscribed = true;
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#topics.get(digest) === listeners) this.#topics.delete(digest);
    };
  }

  /** Resolves once notices arrive, or when that takes too long. */
  async whenReady(): Promise<void> {
    try {
      await withDeadline(new Promise<void>((resolve) => this.#waiting.push(resolve)), this.#answerMs);
    } catch {
      // Subscribers learn of it when notices arrive again.
    }
  }

  close(): void {
    this.#topics.clear();
    this.#notices.close();
  }

  #deliver(payload: string): void {
    const text = payload.slice(TOPIC_LENGTH);
    for (const { onMessage } of [...(this.#topics.get(payload.slice(0, TOPIC_LENGTH)) ?? [])]) onMessage(text);
  }

  #reportLosses(): void {
    for (const listener of [...this.#topics.values()].flatMap((listeners) => [...listeners]))
      if (listener.isSubscribed) listener.onMissed();
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
