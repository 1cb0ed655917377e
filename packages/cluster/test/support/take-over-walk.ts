// The protocol by which a stream changes its owner, walked at random: one node writes a stream, two others end it when the first seems to
// have gone. Each call to the backplane is waiting until the walk lets it through, refuses it, or loses its answer.
import { expect, onTestFinished, vi } from "vitest";
import { MemoryBackplane, type Addition, type AppendResult, type LogEntry } from "../../src/backplane.ts";
import { LogWriter } from "../../src/sessions/log-writer.ts";
import { NodeLease } from "../../src/node/node-lease.ts";
import { endIfGone } from "../../src/sessions/resumption.ts";
import { SessionLog } from "../../src/sessions/session-log.ts";
import { BackplaneLink } from "./backplane-link.ts";

const TIMES = { leaseMs: 300, renewMs: 50, goneMs: 250, lingerMs: 1000, responseWaitMs: 100_000 };
const KEY = "s:walk";
const SCRIPT = ["one", "two", "three", "four", "end"];

type Fate = "ok" | "refused" | "unanswered";

/** Holds each call until it is released. */
class HeldLink extends BackplaneLink {
  readonly waiting: ((fate: Fate) => void)[] = [];
  isFree = false;

  protected override async pass<T>(call: () => Promise<T>): Promise<T> {
    const fate = this.isFree ? "ok" : await new Promise<Fate>((resolve) => this.waiting.push(resolve));
    if (fate === "refused") throw new Error("refused");
    const result = await call();
    if (fate === "unanswered") throw new Error("unanswered");
    return result;
  }
}

/** A small generator of random numbers, so that a seed repeats a walk. */
function random(seed: number): (below: number) => number {
  let state = seed * 2654435761 + 1;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 3266489917) >>> 0;
    return (state >>> 8) % below;
  };
}

/** Remembers the stream whose number its client may know: that of the first addition with an answer. */
class WatchedLog extends SessionLog {
  stream: number | undefined;

  override async append(addition: Addition): Promise<AppendResult> {
    const result = await super.append(addition);
    this.stream ??= result.stream;
    return result;
  }
}

function startNode(world: MemoryBackplane, onLost: () => void) {
  const link = new HeldLink(world);
  const lease = new NodeLease({ backplane: link, name: "node", times: TIMES, onAcquired: async () => undefined, onLost });
  return { link, lease, log: new WatchedLog(link, KEY) };
}

const turn = (ms = 0): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

/** Walks until the stream has ended; returns what its log holds. Nothing where no client can know the stream. */
async function walk(seed: number): Promise<LogEntry[] | undefined> {
  const pick = random(seed);
  const world = new MemoryBackplane();
  await world.put(KEY, "{}", { ttlMs: 1e9 });
  const nodes = [startNode(world, () => writer.stop()), startNode(world, () => undefined), startNode(world, () => undefined)] as const;
  const [owner, ...others] = nodes;
  for (const { link, lease } of nodes) {
    link.isFree = true;
    await lease.acquire();
    link.isFree = false;
  }
  const options = { log: owner.log, writer: () => owner.lease.writer, about: "7", responseWaitMs: TIMES.responseWaitMs };
  const writer = new LogWriter({ ...options, onRefused: () => undefined });
  const script = [...SCRIPT];
  const enders = others.map(({ lease, log }) => async (): Promise<void> => {
    const { stream } = owner.log;
    if (stream !== undefined) await endIfGone(lease, log, stream).catch(() => undefined);
  });
  const write = (text: string): void => (text === "end" ? writer.end(text) : writer.add(text));
  for (let step = 0; step < 120; step++) {
    const action = pick(10);
    const waiting = nodes.flatMap(({ link }) => link.waiting.map((_, at) => [link, at] as const));
    const text = action === 0 ? script.shift() : undefined;
    if (text !== undefined) write(text);
    else if (action === 1) await turn(pick(150));
    else if (action === 2) void enders[pick(2)]?.();
    else if (waiting.length > 0) {
      const [link, at] = waiting[pick(waiting.length)]!;
      link.waiting.splice(at, 1)[0]?.((["ok", "ok", "ok", "refused", "unanswered"] as const)[pick(5)]!);
    }
    await turn();
  }
  // In the end everything works again.
  for (const { link } of nodes) {
    link.isFree = true;
    for (const release of link.waiting.splice(0)) release("ok");
  }
  for (const text of script) write(text);
  await turn(2000);
  for (const end of enders) void end();
  await turn(2000);
  const { entries } = await world.read(KEY, 0);
  for (const { lease } of nodes) lease.stop();
  return owner.log.stream === undefined ? undefined : entries.filter(({ stream }) => stream === owner.log.stream);
}

/** Takes the walks from seed 1 to this one: each ends its stream once, with all before it in order. */
export async function walkTakeOvers(seeds: number): Promise<void> {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const ends = { owner: 0, other: 0 };
  for (let seed = 1; seed <= seeds; seed++) {
    const entries = await walk(seed);
    if (entries === undefined) continue;
    const texts = entries.map(({ text }) => text);
    const isByOther = texts.at(-1)?.includes("-32603") === true;
    const own = isByOther ? texts.slice(0, -1) : texts;
    expect([seed, ...own]).toEqual([seed, ...SCRIPT.slice(0, own.length)]);
    if (!isByOther) expect([seed, own.length]).toEqual([seed, SCRIPT.length]);
    expect(entries.map(({ previous }) => previous)).toEqual([0, ...entries.map(({ position }) => position)].slice(0, entries.length));
    ends[isByOther ? "other" : "owner"]++;
  }
  // Both ways to end occur, or the walk would show nothing.
  expect(Math.min(ends.owner, ends.other)).toBeGreaterThan(seeds / 20);
}
