/** The engines that a run can have. */
import { startPostgres, startValkey, type Engine } from "@oarlock-tooling/engines";

export const ENGINES = ["valkey", "volatile-valkey", "postgres"] as const;
export type EngineName = (typeof ENGINES)[number];

/** Whether a restart forgets everything. */
export const losesData = (name: EngineName): boolean => name === "volatile-valkey";

/** Faults pause and kill the engine, so it must not be one that others use. */
const OWN = { own: true };

/** Starts an engine that only this run uses. */
export const startEngine = (name: EngineName): Promise<Engine> =>
  name === "postgres" ? startPostgres(OWN) : startValkey({ ...OWN, isPersistent: !losesData(name) });
