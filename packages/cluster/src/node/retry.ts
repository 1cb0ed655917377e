// retry: repeats a call to the backplane until it answers.
import { type Backplane, RecordMissing } from "../backplane/backplane.ts";

const RETRY_MS = 200;

/**
 * Repeats a call that rejects, for a minute by default. Undefined when it did not succeed in that time, when `isStopped` returns true, or when
 * there is no record.
 */
export async function retry<T>(call: () => Promise<T>, isStopped: () => boolean, { ms = 60_000 } = {}): Promise<T | undefined> {
  const end = performance.now() + ms;
  while (!isStopped() && performance.now() < end) {
    try {
      return await call();
    } catch (error) {
      if (error instanceof RecordMissing) return undefined;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
  return undefined;
}

const AGAIN_MS = 500;

/**
 * Publishes a message, and again a moment later, for a request that has reached its node but does not run yet. While the backplane does not
 * answer, it tries on after the promise has settled. Never rejects.
 */
export async function publishTwice(backplane: Backplane, topic: string, text: string, isStopped: () => boolean): Promise<void> {
  const publish = (): Promise<void> => backplane.publish(topic, text);
  const again = (): void => void retry(publish, isStopped);
  const timer = setTimeout(again, AGAIN_MS);
  (timer as { unref?(): void }).unref?.();
  await publish().catch(() => undefined);
}
