// Types of platform.mjs, which Node 20 runs as it is.
import type { ChildProcess } from "node:child_process";

export const machine: string;
export const hasGroups: boolean;
export function endTree(child: ChildProcess, signal: NodeJS.Signals): void;
