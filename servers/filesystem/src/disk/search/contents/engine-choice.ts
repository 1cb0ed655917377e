// The engine of this process: ripgrep's binary for this platform, or the plain one where it is missing or does not run.
import { plainEngine } from "../plain/plain-engine.ts";
import { findRipgrep } from "../ripgrep/ripgrep-process.ts";
import { ripgrepEngine } from "../ripgrep/ripgrep-engine.ts";
import type { SearchEngine } from "./engine.ts";

let chosen: SearchEngine | undefined;
let binary: string | undefined;

export function chooseEngine(): SearchEngine {
  if (chosen === undefined) {
    binary = findRipgrep();
    chosen = binary === undefined ? plainEngine : ripgrepEngine(binary);
  }
  return chosen;
}

/** ripgrep's binary, where it is the engine of this process. */
export function engineBinary(): string | undefined {
  return chooseEngine() === plainEngine ? undefined : binary;
}

/** For the rest of the process: the binary cannot be started. */
export function usePlainEngine(): SearchEngine {
  chosen = plainEngine;
  return plainEngine;
}
