// ripgrep as WebAssembly, for machines without the binary: some ten times slower, the same program. Of its package only the bytes
// are used: its own loader would take them from a file in the common temporary directory, where anybody may have put others.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { ERROR_BYTES, type Ended, type Engine, type Work } from "./engine.ts";

export const wasm: Engine = { name: "wasm", run, fileName: String };

type Message = { readonly code: number } | { readonly stream: number; readonly bytes: Uint8Array };

let program: Promise<WebAssembly.Module> | undefined;

async function load(): Promise<WebAssembly.Module> {
  const { brotliDecompress } = await import("node:zlib");
  const bytes = (await import(new URL("./_rg.wasm.mjs", import.meta.resolve("ripgrep")).href)) as { getCompressedBytes(): Uint8Array }; // exact version, tested
  return WebAssembly.compile(await promisify(brotliDecompress)(bytes.getCompressedBytes()));
}

/** Beside this module; for the bundle, whose parts lie in dist/lazy, among the plain modules. */
function workerFile(): URL {
  const places = [
    new URL("./search-worker.ts", import.meta.url),
    new URL("./search-worker.js", import.meta.url),
    new URL("../disk/search/contents/search-worker.js", import.meta.url),
  ];
  const found = places.find((place) => existsSync(fileURLToPath(place)));
  if (found === undefined) throw new Error("the worker for searches is missing from this installation");
  return found;
}

async function run({ args, ground, signal, output }: Work): Promise<Ended> {
  const { Worker } = await import("node:worker_threads");
  const compiled = await (program ??= load());
  if (signal.aborted) return { code: undefined, errors: "" };
  const pending = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(workerFile(), {
    workerData: { wasm: compiled, args, ground, pending },
    env: {},
    execArgv: [],
    stdin: false,
    stdout: true,
    stderr: true,
  });
  const { promise, resolve, reject } = Promise.withResolvers<Ended>();
  let errors = "";
  let ended = false;
  const end = () => {
    ended = true;
    void worker.terminate();
  };
  signal.addEventListener("abort", end, { once: true });
  let code: number | undefined;
  worker.on("message", (message: Message) => {
    if ("code" in message) {
      code = message.code;
      return;
    }
    const bytes = Buffer.from(message.bytes.buffer, message.bytes.byteOffset, message.bytes.length);
    Atomics.sub(pending, 0, bytes.length);
    Atomics.notify(pending, 0);
    if (message.stream === 2) errors = (errors + bytes.toString()).slice(0, ERROR_BYTES);
    else if (!ended && output(bytes)) end();
  });
  worker.on("error", reject);
  worker.on("exit", () => resolve({ code: ended ? undefined : code, errors }));
  try {
    return await promise;
  } finally {
    signal.removeEventListener("abort", end);
  }
}
