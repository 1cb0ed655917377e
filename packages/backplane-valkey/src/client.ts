// The client library's connections: one for commands, or one for each node of a cluster.
import { Cluster, Redis } from "ioredis";
import type { Address } from "./address.ts";
import type { Mode } from "./probe.ts";
import { SCRIPTS, type Scripts } from "./scripts.ts";

export type Client = (Redis | Cluster) & Scripts;

/** 100 ms, 200 ms, … until one second. */
const retryDelay = (attempt: number): number => Math.min(50 * 2 ** attempt, 1000);

/** Options of each connection to an engine, and to each node of a cluster. */
const COMMON = {
  protocol: 2, // replies are lists, whatever the engine could do
  // A command that failed may have taken effect, so it is never sent again.
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 1,
  // A former primary refuses writes; its address may lead to the new one.
  reconnectOnError: (error: Error) => error.message.startsWith("READONLY"),
} as const;

interface Timeouts {
  readonly connectTimeout: number;
  readonly commandTimeout: number;
}

const timeoutsOf = ({ answerMs }: Address): Timeouts => ({ connectTimeout: answerMs, commandTimeout: answerMs });

export type ConnectionOptions = Address["options"] & typeof COMMON & Timeouts & { retryStrategy(attempt: number): number };

export const connectionOptions = (address: Address): ConnectionOptions => ({
  ...address.options,
  ...COMMON,
  ...timeoutsOf(address),
  retryStrategy: retryDelay,
});

export function openClient(address: Address, mode: Mode): Client {
  if (mode === "standalone") return new Redis({ ...connectionOptions(address), scripts: SCRIPTS }) as Redis & Scripts; // made from SCRIPTS
  const { host, port, ...login } = address.options;
  return new Cluster([{ host, port }], {
    redisOptions: { ...login, ...COMMON, ...timeoutsOf(address) },
    scripts: SCRIPTS,
    clusterRetryStrategy: retryDelay,
    slotsRefreshTimeout: address.answerMs,
    // Certificates name hosts, not addresses.
    ...(login.tls !== undefined && { dnsLookup: (name, callback) => callback(null, name) }),
  }) as Cluster & Scripts; // made from SCRIPTS
}

/** The connections to check. */
export const connectionsOf = (client: Client): Redis[] => (client instanceof Cluster ? client.nodes("master") : [client]);

/** Ends a connection at once. The library's own way waits for the engine. */
export function cut(redis: Redis): void {
  redis.stream?.destroy();
}
