// valkeyBackplane: opens a backplane in Valkey or Redis.
import type { Backplane } from "@oarlock/cluster/backplane";
import { parseAddress } from "./address.ts";
import { probe } from "./probe.ts";
import { ValkeyBackplane } from "./valkey-backplane.ts";

export interface ValkeyBackplaneOptions {
  /** Begins the names of all keys, so that several deployments can share an engine. Default `oarlock`. */
  readonly prefix?: string;
}

/**
 * Opens a backplane in Valkey, or in Redis 7.0 or later, a single server or a cluster. An engine that does not answer yet is not an error: the
 * backplane works once it does.
 * @param url Such as `valkey://user:password@host:6379/0`. Also `redis://`, and with TLS `rediss://` and `valkeys://`. Of a cluster, any node. `?answer_ms=5000`: how long a
 * call may take; default 1000.
 * @throws Error with one sentence if waiting does not help: a wrong address, user or password, an engine that is too old.
 */
export async function valkeyBackplane(url: string, { prefix = "oarlock" }: ValkeyBackplaneOptions = {}): Promise<Backplane> {
  const address = parseAddress(url);
  return new ValkeyBackplane(address, prefix, await probe(address));
}
