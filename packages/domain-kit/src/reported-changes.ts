// Names of what a request changes, such as paths and tables, as the domain has resolved them. They are announced on a channel of Node, so that
// domain code knows neither the request nor who records it; without a listener that costs one comparison.
import { channel } from "node:diagnostics_channel";

/** What is announced on the channel `oarlock:changes`: a list of names. The listener finds the request by its asynchronous context. */
const changes = channel("oarlock:changes");

/** Whether there is a listener; without one, names that need a search are not searched. */
export const areChangesReported = (): boolean => changes.hasSubscribers;

/** Reports names of what is changed, once they are resolved and checked: real paths and names, no contents and no arguments as given. */
export function reportChange(names: readonly string[]): void {
  if (changes.hasSubscribers) changes.publish(names);
}
