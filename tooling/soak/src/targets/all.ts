/** Everything that is soaked. */
import { targetsOf } from "./domain.ts";
import { KIT_TARGETS } from "./kit.ts";
import { DOMAINS } from "./servers.ts";
import type { Target } from "./target.ts";

export const TARGETS: readonly Target[] = [...KIT_TARGETS, ...DOMAINS.flatMap(targetsOf)];
