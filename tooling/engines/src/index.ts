// Real engines for tests: PostgreSQL and Valkey (or Redis), one process for each start.
export type { Engine, EngineOptions } from "./engine.ts";
export { missingPostgres, startPostgres } from "./postgres.ts";
export { missingValkey, startValkey, type ValkeyOptions } from "./valkey.ts";
export { startValkeyCluster, type ValkeyCluster } from "./valkey-cluster.ts";
export { parseScrape, type MetricFamily } from "./parse-scrape.ts";
export { engineSize } from "./engine-size.ts";
