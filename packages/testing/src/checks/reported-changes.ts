// The names that a call reports as changed (`reportChange` of @oarlock/domain-kit): the audit file begins with them.
import { subscribe, unsubscribe } from "node:diagnostics_channel";

/** Each name once, in the order of the reports. */
export async function reportedChanges(act: () => PromiseLike<unknown>): Promise<string[]> {
  const reported = new Set<string>();
  const listen = (names: unknown): void => {
    for (const name of names as readonly string[]) reported.add(name); // as it is published
  };
  subscribe("oarlock:changes", listen);
  try {
    await act();
  } finally {
    unsubscribe("oarlock:changes", listen);
  }
  return [...reported];
}
