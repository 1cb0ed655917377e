// @oarlock/opentelemetry: traces and metrics of a server by the conventions of OpenTelemetry.
export { openTelemetry, type OpenTelemetryOptions } from "./observer.ts";
export { traceClient, type CarriedTrace, type TracedRequest, type TracedRequestEnd, type TracingObserver } from "./client-observer.ts";
export { startOpenTelemetry, type StartedOpenTelemetry } from "./start.ts";
