// Health: what a server needs to serve, checked every two seconds. Readiness and metrics show it, and the log has a line for each change.
import type { LogSink } from "../stderr-log.ts";
import type { Gauge } from "./metrics.ts";

/** One thing that a server needs. */
export interface HealthCheck {
  /** As readiness names it: `disk`. */
  readonly name: string;
  /**
   * A node stays ready without it: all nodes need the same one, and if none were ready, the load balancer would have no node left; or it
   * concerns some callers only.
   */
  readonly staysReady?: boolean;
  /** Its problems have lines in the log already. Default: false. */
  readonly isLogged?: boolean;
  /** What is wrong, as the rest of a sentence; undefined if nothing is. */
  problem(): Promise<string | undefined>;
  /** What it measured, as of its last look. Default: none. */
  readonly gauges?: readonly Gauge[];
}

const INTERVAL_MS = 2000;
/** A check that takes longer has a problem. */
const LIMIT_MS = 1000;

export class Health {
  readonly #checks: readonly HealthCheck[];
  readonly #log: LogSink;
  /** By name, as of the last check. */
  readonly #problems = new Map<string, string>();
  readonly #timer: ReturnType<typeof setInterval>;
  #checking: Promise<void> | undefined;

  constructor(checks: readonly HealthCheck[], log: LogSink) {
    this.#checks = checks;
    this.#log = log;
    this.#timer = setInterval(() => void this.check(), INTERVAL_MS);
    this.#timer.unref();
  }

  /** Checks everything now. */
  check(): Promise<void> {
    this.#checking ??= Promise.all(this.#checks.map((one) => this.#checkOne(one)))
      .then(() => undefined)
      .finally(() => (this.#checking = undefined));
    return this.#checking;
  }

  async #checkOne(check: HealthCheck): Promise<void> {
    const { name, isLogged = false } = check;
    const before = this.#problems.get(name);
    const now = await problemInTime(check);
    if (now === undefined) this.#problems.delete(name);
    else this.#problems.set(name, now);
    if (isLogged) return;
    if (now !== undefined && before === undefined) this.#log("error", `Health: ${name} ${now}`);
    if (now === undefined && before !== undefined) this.#log("notice", `Health: ${name} is well again.`);
  }

  /** Status and text of /readyz. */
  get readiness(): [status: number, text: string] {
    const bad = this.#checks.filter(({ name }) => this.#problems.has(name));
    if (bad.length === 0) return [200, "ok"];
    const names = bad.map(({ name }) => name).join(", ");
    return bad.every(({ staysReady }) => staysReady === true) ? [200, `degraded: ${names}`] : [503, `failing: ${names}`];
  }

  get gauges(): Gauge[] {
    const states = this.#checks.map(({ name }) => ({
      name: "oarlock_healthy",
      labels: `{check="${name}"}`,
      help: "1 while what the server needs is there.",
      value: this.#problems.has(name) ? 0 : 1,
    }));
    return [...states, ...this.#checks.flatMap(({ gauges = [] }) => gauges)];
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

async function problemInTime({ problem }: HealthCheck): Promise<string | undefined> {
  const { promise: timeout, resolve } = Promise.withResolvers<string>();
  const timer = setTimeout(() => resolve(`does not answer within ${LIMIT_MS} ms.`), LIMIT_MS);
  try {
    return await Promise.race([problem(), timeout]);
  } catch (error) {
    return `cannot be checked: ${error instanceof Error ? error.message : String(error)}`;
  } finally {
    clearTimeout(timer);
  }
}
