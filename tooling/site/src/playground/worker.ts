// The worker of the playground: runs the server of the editor apart from the page, which ends it when it does not respond.
import type { FromWorker, ToWorker } from "./messages.ts";
import { RunningServer } from "./running-server.ts";

/** The part of a worker's global scope that this file uses. */
interface WorkerScope {
  postMessage(message: FromWorker): void;
  addEventListener(type: "message", listener: (event: { data: ToWorker }) => void): void;
  addEventListener(type: "unhandledrejection", listener: (event: { reason: unknown; preventDefault(): void }) => void): void;
}

const scope = globalThis as unknown as WorkerScope; // this file is only loaded as a worker
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- A worker posts to its page only.
const post = (message: FromWorker): void => scope.postMessage(message);
const server = new RunningServer(post);

async function receive(message: ToWorker): Promise<void> {
  switch (message.kind) {
    case "run":
      return server.start(message.code, message.revision);
    case "send":
      return server.send(message.request);
    case "answer":
      return server.answer(message.id, message.answer);
    case "ping":
      return post({ kind: "pong" });
  }
}

const fail = (error: unknown): void => post({ kind: "failed", message: error instanceof Error ? error.message : String(error) });

scope.addEventListener("message", ({ data }) => void receive(data).catch(fail));
scope.addEventListener("unhandledrejection", (event) => {
  event.preventDefault(); // reported to the user instead of the console
  fail(event.reason);
});
post({ kind: "loaded" });
