// clusterConfirmations: remembers on the backplane which confirmations were used, so that each counts once on all nodes together.
import type { UsedConfirmations } from "@oarlock/server-kit/transport";
import type { Backplane } from "../backplane/backplane.ts";

const keyOf = (callId: string): string => `u:${callId}`;

export const clusterConfirmations = (backplane: Backplane, ttlMs: number): UsedConfirmations => ({
  take: async (callId) => (await backplane.put(keyOf(callId), "", { ttlMs, when: "absent" })) !== undefined,
  release: (callId) => backplane.drop(keyOf(callId)),
});
