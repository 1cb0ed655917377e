// Subscriptions: the subscribers of topics, on one connection or on one for each node of a cluster that has topics.
import { Cluster } from "ioredis";
import type { Address } from "./address.ts";
import { connectionOptions, type Client } from "./client.ts";
import { hashSlot } from "./hash-slot.ts";
import { Subscriber } from "./subscriber.ts";

interface Listener {
  readonly onMessage: (text: string) => void;
  readonly onMissed: () => void;
  /** The caller relies on the subscription, so it must learn of losses. */
  isSubscribed: boolean;
}

interface Topic {
  readonly slot: number;
  readonly listeners: Set<Listener>;
  /** Of the node that has the channel, as far as known. */
  node: string | undefined;
  subscribed: Promise<void>;
}

const CHECK_INTERVAL_MS = 1000;

export class Subscriptions {
  readonly #address: Address;
  readonly #topics = new Map<string, Topic>();
  readonly #subscribers = new Map<string, Subscriber>();
  readonly #timer: NodeJS.Timeout;
  #client: Client | undefined;

  constructor(address: Address) {
    this.#address = address;
    this.#timer = setInterval(() => this.#check(), CHECK_INTERVAL_MS).unref();
  }

  /** Connects. Topics may be subscribed before. */
  start(client: Client): void {
    this.#client = client;
    if (client instanceof Cluster) client.on("ready", () => this.#moveTopics());
    this.#moveTopics();
  }

  async subscribe(channel: string, onMessage: (text: string) => void, onMissed: () => void): Promise<() => void> {
    const listener: Listener = { onMessage, onMissed, isSubscribed: false };
    let topic = this.#topics.get(channel);
    if (topic === undefined) {
      topic = { slot: hashSlot(channel), listeners: new Set(), node: undefined, subscribed: Promise.resolve() };
      this.#topics.set(channel, topic);
      topic.subscribed = this.#place(channel, topic);
    }
    topic.listeners.add(listener);
    await topic.subscribed;
    listener.isSubscribed = true;
    return () => this.#remove(channel, topic, listener);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#topics.clear();
    for (const subscriber of this.#subscribers.values()) subscriber.close();
    this.#subscribers.clear();
  }

  #remove(channel: string, topic: Topic, listener: Listener): void {
    if (!topic.listeners.delete(listener) || topic.listeners.size > 0) return;
    this.#topics.delete(channel);
    if (topic.node !== undefined) this.#subscribers.get(topic.node)?.remove(channel);
  }

  async #place(channel: string, topic: Topic): Promise<void> {
    topic.node = this.#nodeOf(topic.slot);
    if (topic.node !== undefined) await this.#subscriberOf(topic.node).add(channel);
  }

  /** Host and port of the node that has a slot; undefined while no node is known. */
  #nodeOf(slot: number): string | undefined {
    if (this.#client instanceof Cluster) return this.#client.slots[slot]?.[0];
    return this.#client && `${this.#address.options.host}:${this.#address.options.port}`;
  }

  #subscriberOf(node: string): Subscriber {
    const found = this.#subscribers.get(node);
    if (found !== undefined) return found;
    const at = node.lastIndexOf(":");
    const options = { ...connectionOptions(this.#address), host: node.slice(0, at), port: Number(node.slice(at + 1)) };
    const subscriber = new Subscriber(options, {
      onMessage: (channel, text) => {
        for (const { onMessage } of this.#topics.get(channel)?.listeners ?? []) onMessage(text);
      },
      onReady: (channels) => {
        for (const channel of channels) this.#reportLoss(channel);
      },
      onMoved: () => this.#refresh(),
    });
    this.#subscribers.set(node, subscriber);
    return subscriber;
  }

  #reportLoss(channel: string): void {
    for (const { isSubscribed, onMissed } of this.#topics.get(channel)?.listeners ?? []) if (isSubscribed) onMissed();
  }

  #check(): void {
    if ([...this.#subscribers.values()].some(({ isReady }) => !isReady)) this.#refresh();
    else this.#moveTopics();
  }

  /** Asks the cluster which node has which slot. */
  #refresh(): void {
    if (this.#client instanceof Cluster) this.#client.refreshSlotsCache(() => this.#moveTopics());
  }

  /** Moves topics to the nodes that have their slots now. */
  #moveTopics(): void {
    for (const [channel, topic] of this.#topics) {
      const node = this.#nodeOf(topic.slot);
      if (node !== undefined && node !== topic.node) void this.#move(channel, topic);
    }
    for (const [node, subscriber] of this.#subscribers)
      if (subscriber.channelCount === 0 && this.#client instanceof Cluster) {
        subscriber.close();
        this.#subscribers.delete(node);
      }
  }

  async #move(channel: string, topic: Topic): Promise<void> {
    if (topic.node !== undefined) this.#subscribers.get(topic.node)?.remove(channel);
    topic.subscribed = this.#place(channel, topic);
    await topic.subscribed;
    this.#reportLoss(channel);
  }
}
