/** What is measured: our servers, the floors below them, and others beside them. All run on the Node that runs this. */
import { existsSync } from "node:fs";
import { FLOORS } from "./targets/floors.ts";
import { OURS } from "./targets/ours.ts";
import { PACKAGES } from "./targets/packages.ts";
import { PEERS } from "./targets/peers.ts";
import type { Target } from "./targets/target.ts";

export const TARGETS: readonly Target[] = [...FLOORS, ...PEERS, ...OURS, ...PACKAGES];

const neededFile = ({ built, installed }: Target): string | undefined => built ?? installed?.file;

/** Whether it can be started. */
export function isPresent(target: Target): boolean {
  const file = neededFile(target);
  return file === undefined || existsSync(file);
}

/** An optional peer. */
export const isAbsent = (target: Target): boolean => target.installed !== undefined && !isPresent(target);

/** The target with this name; throws what to say to whoever typed it. */
export function targetNamed(name: string): Target {
  const found = TARGETS.find((target) => target.name === name);
  if (found === undefined) throw new Error(`unknown target: ${name} (there are ${TARGETS.map((target) => target.name).join(", ")})`);
  return found;
}
