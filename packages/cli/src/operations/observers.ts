// What observes the requests of a server, as its switches say: telemetry and the audit file.
import type { Observer, Server } from "@oarlock/server-kit";
import type { AuditNames } from "./audit.ts";
import type { LogSink } from "../stderr-log.ts";

interface ObserverOptions {
  readonly name: string;
  readonly otel: boolean;
  readonly audit: string | undefined;
  readonly auditNames: AuditNames | undefined;
  readonly server: Server;
  readonly log: LogSink;
  onExit(action: () => void): void;
}

export interface StartedObservers {
  readonly observer?: Observer;
  /** How long `stop` takes at most, in milliseconds. */
  readonly flushMs: number;
  stop(): Promise<void>;
}

/** Throws a StartError when a package is missing, or the audit file cannot be written. */
export async function startObservers({ name, otel, audit, auditNames, server, log, onExit }: ObserverOptions): Promise<StartedObservers> {
  const telemetry = otel ? await (await import("./telemetry.ts")).startTelemetry(name) : undefined;
  const observers: Observer[] = telemetry === undefined ? [] : [telemetry.observer];
  if (audit !== undefined) {
    const { auditObserver } = await import("./audit.ts");
    const observer = auditObserver({ path: audit, server, namesOf: auditNames, warn: (message) => log("warning", message) });
    onExit(() => observer.stop()); // also after a second signal, or a stop that took too long
    observers.push(observer);
  }
  return {
    ...(observers.length > 0 && { observer: observeAll(observers) }),
    flushMs: telemetry?.flushMs ?? 0,
    stop: async () => await telemetry?.stop(),
  };
}

/** One observer that tells several. Of those, one at most observes requests to the client or sessions. */
export function observeAll(all: readonly (Observer | undefined)[]): Observer {
  const observers = all.filter((one) => one !== undefined);
  const first = <T>(started: (observer: Observer) => T | undefined): T | undefined =>
    observers.map(started).find((observation) => observation !== undefined);
  return {
    clientRequestStarted: (request) => first((observer) => observer.clientRequestStarted?.(request)),
    sessionStarted: (session) => first((observer) => observer.sessionStarted?.(session)),
    requestRefused: (refusal) => {
      for (const observer of observers) observer.requestRefused?.(refusal);
    },
    requestStarted(request) {
      const observations = observers.flatMap((observer) => observer.requestStarted(request) ?? []);
      if (observations.length < 2) return observations[0];
      return {
        run: (handler) => observations.reduceRight((next, observation) => () => observation.run(next), handler)(),
        ended: (end) => {
          for (const observation of observations) observation.ended(end);
        },
      };
    },
  };
}
