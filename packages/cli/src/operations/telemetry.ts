// Telemetry: starts OpenTelemetry for --otel. Its packages are optional, and loaded only with this switch.
import { createRequire } from "node:module";
import { systemErrorCode } from "@oarlock/domain-kit";
import type { Observer } from "@oarlock/server-kit";
import { StartError } from "../start/start-error.ts";

export interface Telemetry {
  readonly observer: Observer;
  /** How long `stop` takes at most, in milliseconds. */
  readonly flushMs: number;
  /** Exports what is left. */
  stop(): Promise<void>;
}

interface TelemetryPackage {
  startOpenTelemetry(serviceName: string): Promise<{ observer: Observer; stop(maxMs: number): Promise<void> }>;
}

const PACKAGES = ["@oarlock/opentelemetry", "@opentelemetry/api", "@opentelemetry/sdk-node"];

/** How long the end of the process waits for an exporter. */
const FLUSH_MS = 2000;

/**
 * Starts the SDK from the `OTEL_*` variables.
 * @throws StartError when a package is missing.
 */
export async function startTelemetry(name: string): Promise<Telemetry> {
  requireTelemetry(name);
  // Bundlers must not see the name, even as a constant: the package is installed beside the server, not bundled with it.
  const [packageName = ""] = PACKAGES;
  const { startOpenTelemetry } = (await import(packageName)) as TelemetryPackage; // its declared type
  const { observer, stop } = await startOpenTelemetry(name);
  return { observer, flushMs: FLUSH_MS, stop: () => stop(FLUSH_MS) };
}

/** Loads nothing. Throws a StartError when a package is missing. */
export function requireTelemetry(name: string): void {
  try {
    const [first = "", ...others] = PACKAGES;
    const { resolve } = createRequire(import.meta.resolve(first));
    for (const other of others) resolve(other);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code !== "ERR_MODULE_NOT_FOUND" && code !== "MODULE_NOT_FOUND") throw error;
    throw new StartError(
      `--otel needs packages that are not installed beside ${name}. Install them with: npm install ${PACKAGES.join(" ")}`,
      2,
    );
  }
}
