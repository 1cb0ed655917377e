// The bounds of an HTTP server, beside those of every runtime.

/** The bounds of HTTP. Times are in milliseconds. */
export interface HttpLimits {
  /** Sessions at the same time; more are refused with 503. Default 10,000. */
  sessions: number;
  /** A session without any request or stream for this long ends, in milliseconds. Default 1,800,000 (30 minutes). */
  idleMs: number;
  /** The same for one whose client never said that it is ready. Default 60,000. */
  unreadyMs: number;
  /** Event streams of one session at the same time; more are refused with 429. Default 64. */
  streams: number;
  /** What one session may keep of its streams so that they can be taken up again, in bytes. Default 4 MiB. */
  eventBytes: number;
  /** What all sessions may keep together. Default 256 MiB. */
  allEventBytes: number;
  /** An idle stream gets a comment this often, in milliseconds. Default 15,000. */
  keepAliveMs: number;
  /** A request without an answer for this long is answered by a stream. Default 10,000. */
  silentMs: number;
  /** Requests of the newest era that run at the same time, whoever sent them; more wait. Default 1,024. */
  concurrency: number;
  /** Subscription streams of the newest era at the same time, whoever opened them. Default 1,024. */
  listens: number;
  /** A stream's connection is let go after this long, and the client takes the stream up again, where its revision knows how. Default: never (0). */
  streamMs: number;
  /** How long a client should wait before it takes a stream up again. Default 1,000. */
  retryMs: number;
  /** A reader that takes nothing for this long is cut off. Default 60,000. */
  stalledMs: number;
  /** Open sockets (node only); more are turned away. Default 4,096. */
  connections: number;
  /** How long the headers of a request may take, or a new connection may say nothing (node only). Default 30,000. */
  headersMs: number;
  /** How long a request may take to arrive (node only). Default 30,000. */
  bodyMs: number;
}

export const DEFAULT_HTTP_LIMITS: Readonly<HttpLimits> = {
  sessions: 10_000,
  idleMs: 1_800_000,
  unreadyMs: 60_000,
  streams: 64,
  eventBytes: 4 * 1024 * 1024,
  allEventBytes: 256 * 1024 * 1024,
  keepAliveMs: 15_000,
  silentMs: 10_000,
  concurrency: 1024,
  listens: 1024,
  streamMs: 0,
  retryMs: 1000,
  stalledMs: 60_000,
  connections: 4096,
  // Not before idle connections are closed: clients believe that new ones stay as long, and a request that is sent at the moment
  // at which one is given up is answered with 408.
  headersMs: 30_000,
  bodyMs: 30_000,
};
