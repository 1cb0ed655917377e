// What serves the requests of a process that is the only one.
import { TokenBucket } from "../../../peer/token-bucket.ts";
import type { Runtime } from "../../../runtime/runtime.ts";
import { CallRates } from "../call-rates.ts";
import type { Endpoints } from "../endpoints.ts";
import type { HttpLimits } from "../http-limits.ts";
import { SessionStore } from "./session-store.ts";

export const ownEndpoints = (runtime: Runtime, limits: Readonly<HttpLimits>): Endpoints => ({
  sessions: new SessionStore(runtime, limits),
  rates: new CallRates(() => new TokenBucket(runtime.limits.callsPerSecond)),
});
