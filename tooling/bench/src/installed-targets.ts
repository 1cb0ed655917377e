/** Installed targets: which targets can be started now. */
import { place } from "./peers/groups.ts";
import { isPresent } from "./targets.ts";
import type { Target } from "./target.ts";

const reported = new Set<string>();

/** Those of the targets that can be started; the others are named, once. */
export function present(targets: readonly Target[]): Target[] {
  for (const target of targets) {
    if (isPresent(target)) {
      if (target.installed !== undefined) place(target.installed.group);
    } else if (!reported.has(target.name)) {
      reported.add(target.name);
      console.log(
        `${target.name} is left out: it is not ${target.installed === undefined ? "built (pnpm build)" : "installed (pnpm bench:peers)"}.`,
      );
    }
  }
  return targets.filter(isPresent);
}
