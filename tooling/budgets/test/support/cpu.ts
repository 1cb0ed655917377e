/** CPU of other processes, as Linux reports it. */
import { familyOf, threadsCpuMs } from "@oarlock-tooling/test-support/process-tree";

/**
 * Milliseconds of a process and its children. `seen` keeps what each had used when it was last looked at: one that has ended
 * would be missing from the sum, which would then go down.
 */
export function cpuOf(pid: number, seen: Map<number, number>): number {
  for (const member of familyOf(pid)) seen.set(member, Math.max(seen.get(member) ?? 0, threadsCpuMs(member) || 0));
  return [...seen.values()].reduce((sum, one) => sum + one, 0);
}
