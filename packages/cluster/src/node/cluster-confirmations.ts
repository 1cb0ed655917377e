// ClusterConfirmations: remembers on the backplane which confirmations were used, so that each counts once on all nodes together.
import type { UsedConfirmations } from "@oarlock/server-kit/transport";
import type { Backplane } from "../backplane/backplane.ts";

export class ClusterConfirmations implements UsedConfirmations {
  readonly #backplane: Backplane;
  readonly #ttlMs: number;

  constructor(backplane: Backplane, ttlMs: number) {
    this.#backplane = backplane;
    this.#ttlMs = ttlMs;
  }

  async take(callId: string): Promise<boolean> {
    return (await this.#backplane.put(keyOf(callId), "", { ttlMs: this.#ttlMs, when: "absent" })) !== undefined;
  }

  async release(callId: string): Promise<void> {
    await this.#backplane.drop(keyOf(callId));
  }
}

const keyOf = (callId: string): string => `u:${callId}`;
