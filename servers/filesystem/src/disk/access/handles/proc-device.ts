// Detects /proc by its device number. Its links lead to whatever a process has open, past every boundary, so nothing in it is served,
// whatever the roots are and wherever it is mounted.
import { statSync } from "node:fs";
import { platform } from "../../../platform.ts";

let procDevice: bigint | undefined;

/** Whether an object with this device number lies in /proc. */
export function isProc(device: bigint): boolean {
  procDevice ??= findProc();
  return device === procDevice;
}

function findProc(): bigint {
  if (platform !== "linux") return -1n;
  const proc = statSync("/proc", { bigint: true, throwIfNoEntry: false });
  // Not mounted: then the directory is an ordinary one.
  if (proc === undefined || proc.dev === statSync("/", { bigint: true }).dev) return -1n;
  return proc.dev;
}
