/** Every kind of client that the load consists of. */
import type { ClientKind } from "./load-client.ts";
import { OARLOCK_SESSIONS, OARLOCK_STATELESS } from "./oarlock.ts";
import { SDK_V1 } from "./sdk-v1.ts";
import { SDK_V2_SESSIONS, SDK_V2_STATELESS } from "./sdk-v2.ts";

export const CLIENT_KINDS: readonly ClientKind[] = [SDK_V1, SDK_V2_SESSIONS, SDK_V2_STATELESS, OARLOCK_SESSIONS, OARLOCK_STATELESS];
