// Checks of what an operator adds to a server: the audit file and the port of health and metrics.
import { statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { missingFolder } from "@oarlock/domain-kit";
import { isPortShared, type SharedOptions } from "../shared-flags.ts";
import { quoted } from "../start/start-error.ts";
import { failed, passed, type Check } from "./check.ts";
import { checkFile, checkFolder } from "./file-checks.ts";
import { checkPort } from "./port-check.ts";

export async function operationsChecks(options: SharedOptions): Promise<Check[]> {
  const { audit, http, opsPort, opsHost } = options;
  const name = "ops-port";
  const checks = audit === undefined ? [] : [checkAudit(audit)];
  if (opsPort === undefined) return checks;
  const check =
    http && isPortShared(options)
      ? failed(
          name,
          `--port and --ops-port are both ${opsPort}.`,
          "Choose another port with --ops-port, or use --ops-port 0 for any free one.",
        )
      : await checkPort({ name, hostSwitch: "--ops-host", host: opsHost, port: opsPort });
  return [...checks, check];
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
