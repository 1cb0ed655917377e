// Limits for each caller over HTTP: what one of them may take of a node, so that the others find the rest.
import type { Callers } from "@oarlock/server-kit/node";
import { HttpError } from "@oarlock/server-kit/transport";
import { networkOf } from "../start/client-address.ts";

/** What one caller may have on one node. Each is a part of what the node has for all callers (`HttpLimits`). */
interface CallerLimits {
  /** Open sessions. Default 1,000. */
  readonly sessions: number;
  /** Connected event streams of all its sessions, to open one more. Default 1,000. */
  readonly streams: number;
  /** Subscriptions to resources in all its sessions and subscription streams, to begin one more. Default 10,000. */
  readonly subscriptions: number;
  /** Requests without an answer: calls that run or are queued, and subscription streams. Default 256. */
  readonly requests: number;
  /** Bytes of request bodies of more than 16 KiB while they arrive. Default 32 MiB. */
  readonly bodyBytes: number;
}

export const CALLER_LIMITS: CallerLimits = {
  sessions: 1000,
  streams: 1000,
  subscriptions: 10_000,
  requests: 256,
  bodyBytes: 32 * 1024 * 1024,
};

export interface CallerLimitOptions extends Partial<CallerLimits> {
  /** Whether all callers have the same principal. Then each address is a caller, as without a login. */
  readonly isPrincipalShared: boolean;
}

export function callerLimits({ isPrincipalShared, ...given }: CallerLimitOptions): Callers {
  const limits = { ...CALLER_LIMITS, ...given };
  const [requests, bodyBytes] = [new Uses(), new Uses()];
  return (principal, address) => {
    const name =
      principal === undefined || isPrincipalShared ? `address ${address === undefined ? "local" : networkOf(address)}` : principal;
    return {
      name,
      bodies: {
        take: (bytes) => bodyBytes.of(name) + bytes <= limits.bodyBytes && bodyBytes.add(name, bytes),
        release: (bytes) => void bodyBytes.add(name, -bytes),
      },
      checkRequests: () => check("requests", requests.of(name), limits.requests, "Wait for some to end."),
      checkSessions: (open) => check("sessions", open, limits.sessions, "End one with DELETE, or use it again."),
      checkStreams: (open) => check("streams", open, limits.streams, "Close one."),
      checkSubscriptions: (open) => check("subscriptions", open, limits.subscriptions, "Unsubscribe from some, or end a stream of them."),
      requestStarted: () => void requests.add(name, 1),
      requestEnded: () => void requests.add(name, -1),
    };
  };
}

/** Numbers by name. A name with 0 is forgotten. */
class Uses {
  readonly #numbers = new Map<string, number>();

  of(name: string): number {
    return this.#numbers.get(name) ?? 0;
  }

  add(name: string, change: number): true {
    const number = this.of(name) + change;
    if (number === 0) this.#numbers.delete(name);
    else this.#numbers.set(name, number);
    return true;
  }
}

function check(limit: "requests" | "sessions" | "streams" | "subscriptions", used: number, most: number, remedy: string): void {
  if (used < most) return;
  const retryS = limit === "sessions" ? 30 : 1;
  throw new HttpError(429, `Too many ${limit} of one user: at most ${most} at the same time. ${remedy}`, {
    code: 429,
    limit,
    headers: ["Retry-After", String(retryS)],
  });
}
