// The worker that runs ripgrep as WebAssembly: one run, then it is gone. To end it early its owner terminates it.
import { parentPort, workerData } from "node:worker_threads";
import type { Ground } from "./engine.ts";
import { Exit, systemFor } from "./wasi.ts";

interface Job {
  readonly wasm: WebAssembly.Module;
  readonly args: readonly string[];
  readonly ground: Ground;
  /** Bytes on their way to the owner. */
  readonly pending: Int32Array<SharedArrayBuffer>;
}

/** Output runs ahead of its reader so far and no farther. */
const MOST_PENDING = 4 * 1024 * 1024;

const { wasm, args, ground, pending } = workerData as Job; // from wasm.ts

function write(stream: number, bytes: Uint8Array<ArrayBuffer>): void {
  for (let now = Atomics.load(pending, 0); now > MOST_PENDING; now = Atomics.load(pending, 0)) Atomics.wait(pending, 0, now);
  Atomics.add(pending, 0, bytes.length);
  parentPort?.postMessage({ stream, bytes }, [bytes.buffer]);
}

let memory = new WebAssembly.Memory({ initial: 0 });
const system = systemFor(args, ground, () => memory.buffer, write);
const { exports } = new WebAssembly.Instance(wasm, { wasi_snapshot_preview1: system });
const { memory: own, _start: start } = exports;
if (!(own instanceof WebAssembly.Memory) || typeof start !== "function") throw new Error("not the program that was expected");
memory = own;
let code = 0;
try {
  start();
} catch (error) {
  if (!(error instanceof Exit)) throw error;
  code = error.code;
}
parentPort?.postMessage({ code }, []);
