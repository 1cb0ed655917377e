/** One run of the rig: a cluster under load with faults, and the verdict over everything that clients received. */
import { setTimeout as sleep } from "node:timers/promises";
import { check, type Verdict } from "./check/checker.ts";
import { Recorder } from "./check/recorder.ts";
import type { FaultKind } from "./check/records.ts";
import { CLIENT_KINDS } from "./clients/kinds.ts";
import type { ClientKind } from "./clients/load-client.ts";
import { Cluster } from "./cluster/cluster.ts";
import type { Engine } from "@oarlock-tooling/engines";
import { injectFault } from "./faults/faults.ts";
import { readJournals } from "./fixture/journal.ts";
import { Actor } from "./load/actor.ts";
import { probeSessions } from "./load/session-probe.ts";
import type { BalancerMode } from "./proxy/balancer.ts";
import type { ProxyName } from "./proxy/proxy-program.ts";
import { Random } from "./random.ts";

export interface SoakOptions {
  readonly seed: number;
  readonly nodes: number;
  readonly mode: BalancerMode;
  /** A proxy of the field in place of our balancer. */
  readonly proxy?: ProxyName | undefined;
  readonly engine: Engine | undefined;
  /** How long a call of a node to the engine may take, in milliseconds: on a busy machine it takes seconds without a fault. Default: that of the backplane. */
  readonly answerMs?: number;
  readonly losesData: boolean;
  readonly clients: number;
  readonly kinds?: readonly ClientKind[];
  readonly ms: number;
  /** The load goes on after its time until so many calls have begun: on a busy machine, too, there is something to check. Default 0. */
  readonly minCalls?: number;
  readonly callsPerSecond: number;
  /** How long a request may take without progress, in milliseconds. */
  readonly requestMs: number;
  /** The kinds of faults, each in turn. */
  readonly faults: readonly FaultKind[];
  readonly faultEveryMs: number;
  /** Faults last for seconds at most. */
  readonly isShort: boolean;
  onLine?(text: string): void;
}

const POLL_MS = 50;

export interface SoakResult {
  readonly recorder: Recorder;
  readonly verdict: Verdict;
}

export async function soak(options: SoakOptions): Promise<SoakResult> {
  const random = new Random(options.seed);
  const { engine, nodes, mode, proxy, answerMs } = options;
  const engineUrl = engine && addressOf(engine, answerMs);
  await using cluster = await Cluster.start({ nodes, mode, proxy, random: random.fork(), ...(engineUrl !== undefined && { engineUrl }) });
  const recorder = new Recorder();
  const ending = new AbortController();
  const actors = Array.from({ length: options.clients }, (_, index) =>
    new Actor({
      name: `c${index}`,
      kind: random.pick(options.kinds ?? CLIENT_KINDS),
      url: cluster.url,
      recorder,
      random: random.fork(),
      meanMs: (options.clients / options.callsPerSecond) * 1000,
      requestMs: options.requestMs,
      ending: ending.signal,
    }).run(),
  );
  const probing = probeSessions(cluster, recorder, random.fork(), ending.signal);
  await faulty(cluster, recorder, random.fork(), options);
  while (recorder.calls.size < (options.minCalls ?? 0)) await sleep(POLL_MS);
  ending.abort();
  await Promise.race([Promise.all([...actors, probing]), sleep(options.requestMs + 10_000, undefined, { ref: false })]);
  return { recorder, verdict: check(recorder, readJournals(cluster.folders.journals)) };
}

function addressOf({ url }: Engine, answerMs: number | undefined): string {
  const address = new URL(url);
  if (answerMs !== undefined) address.searchParams.set("answer_ms", String(answerMs));
  return address.href;
}

/** Lets the time pass, with a fault now and then. */
async function faulty(cluster: Cluster, { faults: recorded }: Recorder, random: Random, options: SoakOptions): Promise<void> {
  const { faults, faultEveryMs, ms, engine, losesData, isShort, onLine = () => undefined } = options;
  const startedAt = Date.now();
  const rest = (until: number): Promise<void> => sleep(Math.max(0, until - Date.now()));
  let order: FaultKind[] = [];
  for (let next = startedAt + faultEveryMs; faults.length > 0 && next < startedAt + ms - faultEveryMs / 2; next += faultEveryMs) {
    await rest(next);
    if (order.length === 0) order = shuffled(faults, random);
    const kind = order.pop() ?? random.pick(faults);
    await injectFault(kind, { cluster, engine, losesData, random, isShort }, recorded);
    const { node = "", from } = recorded.at(-1) ?? {};
    onLine(`${((Date.now() - startedAt) / 1000).toFixed(0)} s: ${kind} ${node} (${Date.now() - (from ?? 0)} ms)`);
  }
  await rest(startedAt + ms);
}

const shuffled = <T>(items: readonly T[], random: Random): T[] =>
  items
    .map((item) => ({ item, order: random.next() }))
    .toSorted((one, other) => one.order - other.order)
    .map(({ item }) => item);
