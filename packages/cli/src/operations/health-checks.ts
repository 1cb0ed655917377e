// The checks of health beside databases: descriptors, the authorization server, and the engine behind --backplane.
import { readdir, readFile } from "node:fs/promises";
import type { Backplane } from "@oarlock/cluster/backplane";
import type { HealthCheck } from "./health.ts";

const MAX_USED_DESCRIPTORS = 0.95;
const ISSUER_INTERVAL_MS = 10_000;
/** Where the system tells how many descriptors a process has: on Linux. */
export function descriptorCheck(folder = "/proc/self"): HealthCheck {
  return {
    name: "descriptors",
    async problem() {
      const limits = await readFile(`${folder}/limits`, "utf8").catch(() => undefined);
      const most = Number(/^Max open files\s+(\d+)/m.exec(limits ?? "")?.[1] ?? Infinity);
      if (most === Infinity) return undefined;
      const { length } = await readdir(`${folder}/fd`);
      return length > most * MAX_USED_DESCRIPTORS ? `run out: ${length} of ${most} are open. Raise LimitNOFILE.` : undefined;
    },
  };
}

/** Whether an HTTP answer comes from there, whatever it is: keys are read, and refused, elsewhere. */
export function issuerCheck(issuer: string): HealthCheck {
  let [checkedAt, last] = [-Infinity, undefined as string | undefined];
  return {
    name: "issuer",
    staysReady: true,
    async problem() {
      if (performance.now() - checkedAt < ISSUER_INTERVAL_MS && last === undefined) return undefined;
      last = await fetch(issuer, { method: "HEAD", redirect: "manual", signal: AbortSignal.timeout(900) }).then(
        () => undefined,
        (error: unknown) => `${issuer} cannot be reached: ${causeOf(error)}. Check the address, its certificate and the network.`,
      );
      checkedAt = performance.now();
      return last;
    },
  };
}

function causeOf(error: unknown): string {
  const { cause } = error as { cause?: { code?: string } }; // of fetch
  return cause?.code ?? (error instanceof Error ? error.name : "no answer");
}

export const backplaneCheck = (backplane: Pick<Backplane, "get">): HealthCheck => ({
  name: "backplane",
  staysReady: true,
  async problem() {
    return await backplane.get("readiness").then(
      () => undefined,
      () => "does not answer. Check the engine.",
    );
  },
});
