import { statSync } from "node:fs";
import { expect, vi } from "vitest";

/** More than a tick of the clock of a file system. */
const TICK_MS = 60;

/** Waits until a second change would give a file or folder another time: what is younger is checked with each call. */
export const settled = (path: string): Promise<void> =>
  vi.waitFor(() => expect(Date.now() - statSync(path).ctimeMs).toBeGreaterThan(TICK_MS), 30_000);
