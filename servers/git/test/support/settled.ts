import { statSync } from "node:fs";
import { expect, vi } from "vitest";

/** More than a tick of the clock of a file system. */
const TICK_MS = 60;

/** Waits until the clock of the file system has moved on since the last change of a file or folder: what changed just now is checked with each call. */
export const settled = (path: string): Promise<void> =>
  vi.waitFor(() => expect(Date.now() - statSync(path).ctimeMs).toBeGreaterThan(TICK_MS), 30_000);
