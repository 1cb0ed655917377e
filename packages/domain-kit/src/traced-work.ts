// Work below a request that telemetry may show, such as a request to a database process. It is announced on a channel of Node, so that servers
// need no telemetry package; without a listener it costs one comparison.
import { tracingChannel } from "node:diagnostics_channel";

/** What is announced on the tracing channel `oarlock:work`. */
export interface TracedWork {
  /** Such as `git log`; no texts of users. */
  readonly name: string;
  /** Whether another process or service does the work. */
  readonly isRemote: boolean;
  /** By the conventions of OpenTelemetry; no texts of users. */
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
}

const channel = tracingChannel<TracedWork>("oarlock:work");

/** Runs the work, and announces its start, its end and its failure. */
export function tracedWork<T>(work: TracedWork, run: () => Promise<T>): Promise<T> {
  // A copy: the channel adds the outcome to it.
  return channel.hasSubscribers ? channel.tracePromise(run, { ...work }) : run();
}
