// @oarlock/opentelemetry: traces and metrics of a server by the conventions of OpenTelemetry.
export { openTelemetry, type OpenTelemetryOptions } from "./observer.ts";
export { startOpenTelemetry, type StartedOpenTelemetry } from "./start.ts";
