// The limits of one server.

/** The limits of one server. A request that exceeds one is refused with an error that names it; the next request is served. */
export interface Limits {
  /** Longest message, in bytes. Default 4 MiB. */
  messageBytes: number;
  /** Deepest nesting of a message. Default 128. */
  depth: number;
  /** Most values in one message. Default 500,000. */
  members: number;
  /** Most messages in one array (2025-03-26). Default 100. */
  batch: number;
  /** Requests of one client that run at the same time; more are queued. Default 64. */
  concurrency: number;
  /** Requests of one client that are queued; more are refused with code 429. Default 4,096. */
  queue: number;
  /** Tool calls a second of one client; bursts of one second's worth pass. More are refused with code 429. Default 5,000. */
  callsPerSecond: number;
  /** Largest answer, in bytes. Default 2.5 MB. */
  resultBytes: number;
  /** Longest run of one request in milliseconds, without the time of its client requests. Default 120,000. */
  timeoutMs: number;
  /** Longest wait for the response to a client request (the user, a model), in milliseconds. Default 600,000. */
  clientRequestMs: number;
  /** Client requests (elicitation, sampling, roots) that one request may send. Default 100. */
  clientRequests: number;
  /** Subscriptions of one client. Default 1,000. */
  subscriptions: number;
  /** Subscription streams of one client at the same time (newest era). Default 64. */
  subscriptionStreams: number;
  /** Log entries a second to one client; more are dropped. Default 200. */
  logsPerSecond: number;
}

/** Why a call beyond `callsPerSecond` is refused. */
export const RATE_EXCEEDED = "Rate limit exceeded for tool calls.";

/** The limits that hold by default. */
export const DEFAULT_LIMITS: Readonly<Limits> = {
  messageBytes: 4 * 1024 * 1024,
  depth: 128,
  members: 500_000,
  batch: 100,
  concurrency: 64,
  queue: 4096,
  callsPerSecond: 5000,
  resultBytes: 2_500_000,
  timeoutMs: 120_000,
  clientRequestMs: 600_000,
  clientRequests: 100,
  subscriptions: 1000,
  subscriptionStreams: 64,
  logsPerSecond: 200,
};
