/** One client of the load: connects, makes calls by its seed, closes and connects again until the run ends. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Recorder } from "../check/recorder.ts";
import {
  LIST_ITEM,
  type Act,
  type CallRecord,
  type ClientRecord,
  type ConnectionRecord,
  type SubscriptionRecord,
} from "../check/records.ts";
import type { ClientKind, LoadClient } from "../clients/load-client.ts";
import { describeError } from "../check/error-kinds.ts";
import type { Random } from "../random.ts";
import { planAct, type Plan } from "./acts.ts";

export interface ActorOptions {
  readonly name: string;
  readonly kind: ClientKind;
  readonly url: string;
  readonly recorder: Recorder;
  readonly random: Random;
  /** Mean time between two calls. */
  readonly meanMs: number;
  readonly requestMs: number;
  /** Aborts when no further call should begin. */
  readonly ending: AbortSignal;
}

/** Number of items that clients subscribe to. */
export const ITEMS = 12;

/** Pause before a client that lost its session connects again. */
const RECONNECT_MS = 300;

export class Actor {
  readonly #options: ActorOptions;
  readonly #record: ClientRecord;
  readonly #subscriptions = new Map<string, SubscriptionRecord>();
  #connection: ConnectionRecord = { isClosing: false, wasRefusedListener: false };
  #count = 0;

  constructor(options: ActorOptions) {
    const { name, kind } = options;
    this.#options = options;
    this.#record = { name, kind: `${kind.name} ${kind.era}`, era: kind.era, asksAgain: kind.asksAgain, connectedAt: 0 };
  }

  async run(): Promise<void> {
    const { random, ending } = this.#options;
    while (!ending.aborted) {
      const client = await this.#connect();
      if (client === undefined) {
        await this.#rest(RECONNECT_MS);
        continue;
      }
      let isUsable = await this.#subscribe(client);
      for (let left = random.between(10, 40); left > 0 && isUsable && !ending.aborted; left--) {
        await this.#rest(-Math.log(1 - random.next()) * this.#options.meanMs);
        if (!ending.aborted) isUsable = await this.#act(client);
      }
      await this.#close(client);
    }
  }

  async #connect(): Promise<LoadClient | undefined> {
    const { kind, url, recorder, requestMs } = this.#options;
    let client: LoadClient | undefined;
    this.#connection = { isClosing: false, wasRefusedListener: false };
    await this.#recorded("connect", async () => {
      client = await kind.connect({
        url: new URL(url),
        requestMs,
        fetch: recorder.fetchOf(this.#record, this.#connection),
        hooks: {
          onLog: (data) => this.#onLog(data),
          onUpdated: (uri) => this.#subscriptions.get(uri.slice(uri.lastIndexOf("/") + 1))?.notifiedAt.push(Date.now()),
          onListChanged: () => this.#subscriptions.get(LIST_ITEM)?.notifiedAt.push(Date.now()),
          onQuestion: (question, text) => this.#onQuestion(question, text),
        },
      });
      this.#record.connectedAt = Date.now();
    });
    return client;
  }

  /** Subscribes to one item and to the list of tools. Returns whether the client can be used. */
  async #subscribe(client: LoadClient): Promise<boolean> {
    const { random, recorder } = this.#options;
    const item = `i${random.between(1, ITEMS)}`;
    const { outcome } = await this.#recorded("connect", () => client.subscribe(`fixture://item/${item}`));
    if (outcome !== "ok") return false;
    for (const name of [item, LIST_ITEM]) {
      const subscription = {
        client: this.#record,
        connection: this.#connection,
        item: name,
        acceptedAt: Date.now(),
        closedAt: Infinity,
        notifiedAt: [],
      };
      this.#subscriptions.set(name, subscription);
      recorder.subscriptions.push(subscription);
    }
    return true;
  }

  /** Makes one call. Returns false when the session is lost. */
  async #act(client: LoadClient): Promise<boolean> {
    const { random, kind, recorder } = this.#options;
    const plan = planAct(random, kind, `i${random.between(1, ITEMS)}`);
    const record = await this.#recorded(plan.act, (record) => this.#call(client, plan, record), plan.expectedLogs);
    const { endedAt = record.startedAt, startedAt, outcome } = record;
    if (plan.changes !== undefined && outcome === "ok") {
      recorder.changes.push({ call: record.call, item: plan.changes, startedAt, endedAt });
    }
    return record.outcome !== "error" || describeError(record.error ?? "") !== "404 session";
  }

  async #call(client: LoadClient, plan: Plan, record: CallRecord): Promise<void> {
    const { act, args, expected, cancelAfterMs, progress } = plan;
    const abort = new AbortController();
    const timer =
      cancelAfterMs === undefined
        ? undefined
        : setTimeout(() => {
            record.cancelledAt = Date.now();
            abort.abort(new Error("cancelled by the load"));
          }, cancelAfterMs);
    try {
      const text = await client.call(
        act,
        { call: record.call, ...args },
        {
          signal: abort.signal,
          ...(progress && { onProgress: (done: number) => void record.progress.push(done) }),
        },
      );
      const wanted = expected(record.call);
      if (text !== wanted) record.wrongResult = `${text.slice(0, 200)} instead of ${wanted.slice(0, 200)}`;
    } catch (error) {
      if (record.cancelledAt === undefined) throw error;
      record.outcome = "cancelled";
    } finally {
      clearTimeout(timer);
    }
  }

  async #recorded(act: Act, run: (record: CallRecord) => Promise<void>, expectedLogs = 0): Promise<CallRecord> {
    const call = `${this.#options.name}.${++this.#count}`;
    const record: CallRecord = {
      call,
      act,
      client: { ...this.#record },
      startedAt: Date.now(),
      expectedLogs,
      logs: [],
      progress: [],
      questions: [],
    };
    this.#options.recorder.calls.set(call, record);
    try {
      await run(record);
      record.outcome ??= "ok";
    } catch (error) {
      record.outcome = "error";
      record.error = fullMessage(error);
    }
    record.endedAt = Date.now();
    return record;
  }

  async #close(client: LoadClient): Promise<void> {
    for (const subscription of this.#subscriptions.values()) subscription.closedAt = Date.now();
    this.#subscriptions.clear();
    const { session } = client;
    this.#connection.isClosing = true;
    await client.close().catch(() => undefined);
    if (session !== undefined) this.#options.recorder.forget(session);
  }

  #onLog(data: unknown): void {
    const { call, step } = data as { call: string; step: number }; // logged by the tool `steps`
    const record = this.#options.recorder.calls.get(call);
    if (record === undefined || record.client.name !== this.#record.name)
      this.#options.recorder.violations.push(`I10: ${this.#record.name} got a message of ${call}`);
    else record.logs.push(step);
  }

  #onQuestion(kind: string, text: string): string {
    const call = new RegExp(`${kind} ([\\w.]+)`).exec(text)?.[1];
    if (call === undefined) return ""; // roots name no call
    const record = this.#options.recorder.calls.get(call);
    if (record === undefined || record.client.name !== this.#record.name)
      this.#options.recorder.violations.push(`I10: ${this.#record.name} got a question of ${call}`);
    else record.questions.push(kind);
    return `${kind}-${call}`;
  }

  async #rest(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#options.ending }).catch(() => undefined);
  }
}

/** With its causes, as `fetch` puts the reason there. */
function fullMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as { code?: unknown };
  const own = `${error.name}${typeof code === "number" ? ` ${code}` : ""}: ${error.message}`;
  return error.cause === undefined ? own : `${own} ← ${fullMessage(error.cause)}`;
}
