/** What the load records: calls with everything that a client saw of them, subscriptions, changes and faults. */
import type { Era } from "../clients/load-client.ts";

/** Kinds of calls, by the name of their tool. */
export const ACTS = ["echo", "steps", "ask", "wait", "job", "touch", "grow"] as const;
export type Act = (typeof ACTS)[number] | "connect" | "probe";

export interface CallRecord {
  /** Unique in the run. */
  readonly call: string;
  readonly act: Act;
  readonly client: ClientRecord;
  /** Milliseconds since the epoch, as all times here. */
  readonly startedAt: number;
  endedAt?: number;
  /** Undefined: the call has not ended. */
  outcome?: "ok" | "cancelled" | "error";
  error?: string;
  cancelledAt?: number;
  readonly expectedLogs: number;
  /** Numbers of the messages that arrived, in this order. */
  readonly logs: number[];
  readonly progress: number[];
  readonly questions: string[];
  /** The result, where it is not the expected one. */
  wrongResult?: string;
}

export interface ClientRecord {
  readonly name: string;
  /** Library and era, such as "v1 sessions". */
  readonly kind: string;
  readonly era: Era;
  /** It asks again for a standing stream that was refused. Clients that do not hear of no change. */
  readonly asksAgain: boolean;
  connectedAt: number;
}

/** One connection of a client. */
export interface ConnectionRecord {
  /** The client ends it itself. */
  isClosing: boolean;
  /** The server refused the standing stream of its session. */
  wasRefusedListener: boolean;
}

export interface SubscriptionRecord {
  readonly client: ClientRecord;
  readonly connection: ConnectionRecord;
  readonly item: string;
  readonly acceptedAt: number;
  closedAt: number;
  readonly notifiedAt: number[];
}

/** A change that subscribers of the item must hear of. */
export interface ChangeRecord {
  readonly call: string;
  readonly item: string;
  readonly startedAt: number;
  readonly endedAt: number;
}

export const FAULT_KINDS = [
  "kill node",
  "drain node",
  "rolling restart",
  "break streams",
  "cut node off",
  "hold to engine",
  "hold to node",
  "pause node",
  "pause engine",
  "restart engine",
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

export interface FaultRecord {
  readonly kind: FaultKind;
  readonly node?: string;
  readonly from: number;
  /** When everything should work again. */
  to: number;
  readonly losesData?: boolean;
}

/** Faults of a single node. */
export const NODE_FAULTS: readonly FaultKind[] = ["kill node", "pause node"];

/** The item that stands for the list of tools. */
export const LIST_ITEM = "*tools";
