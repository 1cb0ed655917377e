// Checks of what an operator adds to a server: the audit file, OpenTelemetry, and the port of health and metrics.
import { statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { missingFolder } from "@oarlock/domain-kit";
import type { SharedOptions } from "../shared-flags.ts";
import { requireTelemetry } from "../operations/telemetry.ts";
import { quoted } from "../start/start-error.ts";
import { failed, failedBy, passed, type Check } from "./check.ts";
import { checkFile, checkFolder } from "./file-checks.ts";
import { checkPort } from "./port-check.ts";
import { answersReadiness } from "./running-server.ts";

/** `server`: its name. */
export async function operationsChecks(server: string, { audit, otel, opsPort, opsHost }: SharedOptions): Promise<Check[]> {
  return [
    ...(audit === undefined ? [] : [checkAudit(audit)]),
    ...(otel ? [checkTelemetry(server)] : []),
    ...(opsPort === undefined
      ? []
      : [await checkPort({ name: "ops-port", hostSwitch: "--ops-host", host: opsHost, port: opsPort, isOwn: answersReadiness })]),
  ];
}

function checkTelemetry(server: string): Check {
  const name = "otel";
  try {
    requireTelemetry(server);
    return passed(name, "The packages of OpenTelemetry are installed.");
  } catch (error) {
    return failedBy(name, error, "Install the packages of OpenTelemetry, or leave out --otel.");
  }
}

/** The file is created at the start, its folder is not. Old files are renamed beside it. */
function checkAudit(path: string): Check {
  const name = "audit";
  const folder = missingFolder(path);
  if (folder !== undefined)
    return failed(
      name,
      `${quoted(path)} cannot be created: the folder ${quoted(folder)} is missing.`,
      `Create the folder ${quoted(folder)}, or name a file in another one with --audit.`,
    );
  if (statSync(path, { throwIfNoEntry: false }) !== undefined) return checkFile(name, path, { write: true });
  const parent = checkFolder(name, dirname(resolve(path)), { write: true });
  return parent.ok ? passed(name, `${quoted(path)} does not exist yet and can be created.`) : parent;
}
