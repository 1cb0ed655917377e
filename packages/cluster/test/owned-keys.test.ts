// What a caller has on all nodes: sessions, also those that have ended by themselves.
import { afterEach, expect, test, vi } from "vitest";
import type { TaskRecord } from "@oarlock/extensions/tasks";
import { callerLimits } from "../../cli/src/operations/caller-limits.ts";
import { HttpPeer, HttpTalk, initialize } from "../../server-kit/test/support/http-talk.ts";
import { MemoryBackplane } from "../src/backplane.ts";
import { OwnedKeys } from "../src/node/owned-keys.ts";
import { ClusterTaskStore } from "../src/tasks/cluster-task-store.ts";
import { Nodes } from "./support/nodes.ts";

const TASK = { version: 1, status: "working", createdAt: Date.now(), updatedAt: Date.now(), ttlMs: 60_000 } as TaskRecord; // what the store reads

test("counts the sessions of a caller over all nodes, and those that a node has ended no longer", async () => {
  const callers = callerLimits({ isPrincipalShared: false, sessions: 3 });
  await using nodes = await Nodes.start(3, { callers });
  const talks = [await HttpTalk.open(nodes.at(0).url), await HttpTalk.open(nodes.at(1).url), await HttpTalk.open(nodes.at(2).url)];
  using peer = new HttpPeer(nodes.at(1).url);
  expect((await peer.send("POST", {}, initialize())).status).toBe(429);
  // Deleted on another node than the one that opened it.
  expect((await talks[0]!.send("DELETE", {}, undefined, nodes.at(1).url)).status).toBe(204);
  talks.push(await HttpTalk.open(nodes.at(2).url));
  for (const talk of talks) talk[Symbol.dispose]();
});

test("opens as many sessions of a caller as it may, of those that begin at the same time on all nodes", async () => {
  const callers = callerLimits({ isPrincipalShared: false, sessions: 7 });
  await using nodes = await Nodes.start(3, { callers });
  const peers = Array.from({ length: 24 }, (_, number) => new HttpPeer(nodes.at(number % 3).url));
  const answers = await Promise.all(peers.map((peer) => peer.send("POST", {}, initialize())));
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
    ...Array<number>(7).fill(200),
    ...Array<number>(17).fill(429),
  ]);
  for (const peer of peers) peer[Symbol.dispose]();
});

afterEach(() => void vi.useRealTimers());

test("forgets what has ended by itself", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const backplane = new MemoryBackplane();
  const owned = new OwnedKeys(backplane, "so");
  for (let number = 0; number < 12; number++) {
    if (number % 2 === 0) await backplane.put(`s:${number}`, "", { ttlMs: 60_000 });
    await owned.add("ada", `s:${number}`);
  }
  expect(await owned.count("ada")).toBe(12); // their records may not be stored yet
  vi.setSystemTime(Date.now() + 60_001);
  const later = new OwnedKeys(backplane, "so"); // another node
  expect([await later.count("ada"), await later.count("grace")]).toEqual([6, 0]);
  await owned.remove("ada", "s:0");
  expect(await owned.count("ada")).toBe(5);
});

test("loses no key that several nodes add at the same time", async () => {
  const backplane = new MemoryBackplane();
  const nodes = [new OwnedKeys(backplane, "so"), new OwnedKeys(backplane, "so")];
  await Promise.all(nodes.flatMap((owned, node) => [1, 2, 3].map((number) => owned.add("ada", `s:${node}-${number}`))));
  expect(await nodes[0]?.count("ada")).toBe(6);
});

test("takes no more tasks of an owner than on one process, whichever node runs them", async () => {
  const backplane = new MemoryBackplane();
  const lease = { acquire: async () => "1.node", isRunning: async () => true };
  const stores = [1, 2].map(() => new ClusterTaskStore(backplane, lease, 60_000, 3));
  const taken = [];
  for (const [number, owner] of ["ada", "ada", "grace", "ada", "ada"].entries())
    taken.push(await stores[number % 2]?.create({ ...TASK, id: `t${number}`, owner }));
  expect(taken).toEqual([true, true, true, true, false]);
});
