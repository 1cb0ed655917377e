/** The words of commands that start programs of this package. */
import { fileURLToPath } from "node:url";

const root = new URL("../../../../", import.meta.url);

export const node = (...args: readonly string[]): string[] => [process.execPath, ...args];

/** A file of this repository. */
export const inRepository = (path: string): string => fileURLToPath(new URL(path, root));

/** A program of `peers/`. */
export const program = (name: string): string => inRepository(`tooling/bench/peers/${name}`);
