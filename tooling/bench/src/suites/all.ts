/** The suites by name. */
import { filesystem } from "./filesystem.ts";
import { git } from "./git.ts";
import { growth } from "./growth.ts";
import { http } from "./http.ts";
import { latency, stdio, stdioModern } from "./echo.ts";
import { memory } from "./memory.ts";
import { sessions } from "./sessions.ts";
import { sqlite } from "./sqlite.ts";
import { start } from "./start.ts";
import type { Suite } from "./suite.ts";
import { weight } from "./weight.ts";

export const SUITES: ReadonlyMap<string, Suite> = new Map(
  Object.entries({
    start,
    latency,
    stdio,
    "stdio-modern": stdioModern,
    growth,
    http,
    sessions,
    weight,
    filesystem,
    memory,
    sqlite,
    git,
  }),
);
