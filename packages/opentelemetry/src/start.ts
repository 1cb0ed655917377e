// startOpenTelemetry: starts the SDK from the standard OTEL_* variables, for programs that have no set-up of their own.
import type { Observer } from "@oarlock/server-kit";
import { openTelemetry } from "./observer.ts";

/** A running SDK. */
export interface StartedOpenTelemetry {
  readonly observer: Observer;
  /** Exports what is left, within the given time, and ends the SDK. Never rejects. */
  stop(maxMs: number): Promise<void>;
}

/**
 * Starts the SDK for Node (`@opentelemetry/sdk-node`, an optional peer) with traces and metrics by OTLP, unless `OTEL_*` variables say otherwise.
 * An exporter that does not answer neither slows nor fails requests.
 * @param serviceName Used where neither OTEL_SERVICE_NAME nor OTEL_RESOURCE_ATTRIBUTES names the service.
 * @throws ERR_MODULE_NOT_FOUND when the SDK is not installed.
 */
export async function startOpenTelemetry(serviceName: string): Promise<StartedOpenTelemetry> {
  const { env } = process;
  if (!/(^|,)\s*service\.name=/.test(env.OTEL_RESOURCE_ATTRIBUTES ?? "")) env.OTEL_SERVICE_NAME ??= serviceName;
  env.OTEL_TRACES_EXPORTER ??= "otlp";
  env.OTEL_METRICS_EXPORTER ??= "otlp";
  env.OTEL_LOGS_EXPORTER ??= "none";
  const { NodeSDK } = await import("@opentelemetry/sdk-node");
  const sdk = new NodeSDK({ instrumentations: [] });
  sdk.start();
  return { observer: openTelemetry(), stop: (maxMs) => within(maxMs, sdk.shutdown()) };
}

async function within(maxMs: number, work: Promise<unknown>): Promise<void> {
  const { promise: timeout, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, maxMs);
  await Promise.race([work.catch(() => undefined), timeout]);
  clearTimeout(timer);
}
