// Which engine a search gets: the binary of this platform, or, where it is missing or cannot be started, the WebAssembly.
import { binaryAt, findBinary } from "../ripgrep/process.ts";
import type { Engine, Ground } from "./engine.ts";
import { wasm } from "./wasm.ts";

let found: { readonly binary: Engine | undefined } | undefined;

/** `file` is for tests: another binary. */
export function engineFor(ground: Ground, file?: string): Engine {
  if (file !== undefined) return binaryAt(file);
  if (found === undefined) {
    const path = findBinary();
    found = { binary: path === undefined ? undefined : binaryAt(path) };
  }
  // Windows cannot name the open files of a child.
  return found.binary === undefined || ("fds" in ground && process.platform === "win32") ? wasm : found.binary;
}

/** The binary is there and does not run (another libc, a mount without execution): from now on the other one. */
export function useWasm(): Engine {
  found = { binary: undefined };
  return wasm;
}
