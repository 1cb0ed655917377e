/** Everything that is soaked. */
import { MODERN, STATEFUL } from "../load/clients.ts";
import { targetsOf } from "./domain.ts";
import { filesystem } from "./filesystem.ts";
import { git } from "./git.ts";
import { KIT_TARGETS } from "./kit.ts";
import { memory } from "./memory.ts";
import { sqlite } from "./sqlite.ts";
import type { Target } from "./target.ts";

export const TARGETS: readonly Target[] = [
  ...KIT_TARGETS,
  ...targetsOf(filesystem, STATEFUL),
  ...targetsOf(git, MODERN),
  ...targetsOf(sqlite, MODERN),
  ...targetsOf(memory, STATEFUL),
];
