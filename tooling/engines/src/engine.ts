// Engine: what a test can do with a running PostgreSQL or Valkey.

export interface Engine extends AsyncDisposable {
  /** The address for clients, such as `valkey://127.0.0.1:20123`. */
  readonly url: string;
  /** Suspends its processes: connections stay open, and nothing is answered. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Ends its processes by SIGKILL. `restart` starts it again. */
  kill(): Promise<void>;
  /** Starts it again at the same address, on the stored data. If it runs, it is shut down first. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export interface EngineOptions {
  /** Starts a process even if an environment variable names a running engine, for tests that pause and kill. Default false. */
  readonly own?: boolean;
}

/** An engine that an environment variable names. It may serve others too, so it is never paused or ended. */
export function namedEngine(url: string, variable: string): Engine {
  const refuse = async (): Promise<void> => {
    throw new Error(`The engine that ${variable} names cannot be paused, ended or restarted: start one with { own: true }.`);
  };
  const ignore = async (): Promise<void> => {};
  return { url, pause: refuse, resume: refuse, kill: refuse, restart: refuse, stop: ignore, [Symbol.asyncDispose]: ignore };
}
