// Waiting for what a watcher or timer of the server does later: within milliseconds, on a busy machine within seconds.
import { waitUntil } from "@oarlock/testing";
import { vi } from "vitest";
import { isOnPostgres } from "./store-under-test.ts";

/** Below the limit of the test, so that a failure has the last value. */
const WAIT_MS = 15_000;
const TEST_MS = 20_000;

/** Gives the tests of the calling file time to wait, as the tests on Postgres have. Whether they pass does not depend on it. */
export function allowWaiting(): void {
  if (!isOnPostgres()) vi.setConfig({ testTimeout: TEST_MS });
}

/** Reads a value until it is accepted, and returns it. */
export const until = <T>(read: () => T | Promise<T>, accepts: (value: T) => boolean): Promise<T> => waitUntil(read, accepts, WAIT_MS);
