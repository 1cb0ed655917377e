// Limits of the HTTP transport, and the numbers that they bound. Limits of every transport are in `runtime/limits.ts`.

/** Limits of the HTTP transport. Times are in milliseconds. */
export interface HttpLimits {
  /** Concurrent sessions of all clients together; more are refused with 503. Default 10,000. */
  sessions: number;
  /** Idle time after which a session without requests and streams ends. Default 1,800,000 (30 minutes). */
  idleMs: number;
  /** Idle time after which a session ends whose client never sent `notifications/initialized`. Default 60,000. */
  unreadyMs: number;
  /** Concurrent event streams of one session; more are refused with 429. Default 64. */
  streams: number;
  /** Bytes of events that one session keeps, so that its streams can be resumed. Default 4 MiB. */
  eventBytes: number;
  /** Bytes of events that all sessions keep together. Default 256 MiB. */
  allEventBytes: number;
  /** Bytes that all request bodies of more than 16 KiB take while they arrive; more are refused with 503. Default 128 MiB. */
  allBodyBytes: number;
  /** Interval of keep-alive comments on an idle stream. Default 15,000, by `toFetch` 5,000. */
  keepAliveMs: number;
  /** Time after which a request without a response is answered by an event stream. Default 10,000, by `toFetch` 5,000. */
  silentMs: number;
  /** Concurrent stateless requests of all clients; more are queued. Default 1,024. */
  concurrency: number;
  /** Concurrent subscription streams of all stateless clients. Default 1,024. */
  listens: number;
  /** Time after which the connection of a stream is closed, if the client's revision can resume it. Default: never (0). */
  streamMs: number;
  /** Time that a client should wait before it resumes a stream. Default 1,000. */
  retryMs: number;
  /** Time after which a client that reads nothing is disconnected. Default 60,000. */
  stalledMs: number;
  /** Open sockets; more are refused (Node only). Default 4,096. */
  connections: number;
  /** Time for the headers of a request to arrive, counted from the connection for its first request (Node only). Default 30,000. */
  headersMs: number;
  /** Time for a whole request to arrive (Node only). Default 30,000. */
  bodyMs: number;
}

export const DEFAULT_HTTP_LIMITS: Readonly<HttpLimits> = {
  sessions: 10_000,
  idleMs: 1_800_000,
  unreadyMs: 60_000,
  streams: 64,
  eventBytes: 4 * 1024 * 1024,
  allEventBytes: 256 * 1024 * 1024,
  allBodyBytes: 128 * 1024 * 1024,
  keepAliveMs: 15_000,
  silentMs: 10_000,
  concurrency: 1024,
  listens: 1024,
  streamMs: 0,
  retryMs: 1000,
  stalledMs: 60_000,
  connections: 4096,
  // Not shorter than the timeout of idle connections: clients expect a new connection to stay open as long, and a request that arrives
  // while Node closes the connection is answered with 408.
  headersMs: 30_000,
  bodyMs: 30_000,
};

/** Current numbers of a server. */
export interface HttpCounts {
  sessions: number;
  /** Event streams with a connected client. */
  streams: number;
  /** Requests in flight. */
  running: number;
}
