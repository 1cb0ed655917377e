/** Every kind of client that the load consists of. */
import type { ClientKind } from "./load-client.ts";
import { OARLOCK } from "./oarlock.ts";
import { SDK_V1 } from "./sdk-v1.ts";
import { SDK_V2 } from "./sdk-v2.ts";

export const CLIENT_KINDS: readonly ClientKind[] = [SDK_V1, ...SDK_V2, ...OARLOCK];
