/** CPU of other processes, as Linux tells it. */
import { readdirSync, readFileSync } from "node:fs";
import { familyOf } from "@oarlock-tooling/soak/family";

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // it may have ended
  }
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/**
 * Milliseconds of a process and its children. `seen` keeps what each had used when it was last looked at: one that has ended
 * would be missing from the sum, which would then go down.
 */
export function cpuOf(pid: number, seen: Map<number, number>): number {
  for (const member of familyOf(pid)) {
    let ms = 0;
    for (const thread of threadsOf(member)) ms += Number(read(`/proc/${member}/task/${thread}/schedstat`).split(" ")[0]) / 1e6;
    seen.set(member, Math.max(seen.get(member) ?? 0, ms));
  }
  return [...seen.values()].reduce((sum, one) => sum + one, 0);
}
