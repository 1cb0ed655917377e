// The worker of the plain engine. It ends when its owner terminates it, so a pattern that never ends cannot hold up the server.
import { parentPort, workerData } from "node:worker_threads";
import type { SearchEvent } from "../contents/engine.ts";
import { searchFile } from "./line-search.ts";
import type { EventBatch, SearchRequest, WorkerInput } from "./query.ts";

const BATCH_EVENTS = 500;

const { query, batchesRead } = workerData as WorkerInput; // from plain-engine.ts

let batchesSent = 0;

function send(batch: EventBatch): void {
  parentPort?.postMessage(batch, []);
  batchesSent += 1;
  for (let read = Atomics.load(batchesRead, 0); read < batchesSent; read = Atomics.load(batchesRead, 0)) Atomics.wait(batchesRead, 0, read);
}

parentPort?.on("message", ({ fds }: SearchRequest) => {
  let events: SearchEvent[] = [];
  for (const [file, fd] of fds.entries()) {
    for (const event of searchFile(fd, file, query)) {
      events.push(event);
      if (events.length < BATCH_EVENTS) continue;
      send({ events, isLast: false });
      events = [];
    }
  }
  send({ events, isLast: true });
});
