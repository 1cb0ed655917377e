/** The suites by name. */
import { filesystem } from "./filesystem.ts";
import { growth } from "./growth.ts";
import { latency } from "./latency.ts";
import { start } from "./start.ts";
import { stdio } from "./stdio.ts";
import type { Suite } from "./suite.ts";

export const SUITES: ReadonlyMap<string, Suite> = new Map(Object.entries({ start, latency, stdio, growth, filesystem }));
