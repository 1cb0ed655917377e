// NodeTimes: how long things take that several nodes agree on.

/** Times of a node that shares its sessions with others, in milliseconds. */
export interface NodeTimes {
  /** How long a node counts as running after its last sign of life. Default 15,000. */
  leaseMs: number;
  /** Interval of its signs of life. Default 2,000. */
  renewMs: number;
  /** Time without a sign of life after which a node gives up its event streams; shorter than `leaseMs`. Default 14,000. */
  goneMs: number;
  /** How long a session stays in the memory of a node that no longer serves it. Default 30,000. */
  lingerMs: number;
  /** How long the response of an event stream waits for the backplane before it is sent without an event id. Default 2,000. */
  responseWaitMs: number;
}

export const DEFAULT_NODE_TIMES: Readonly<NodeTimes> = {
  leaseMs: 15_000,
  renewMs: 2000,
  // An engine that pauses for 10 seconds must not end the streams of all nodes.
  goneMs: 14_000,
  lingerMs: 30_000,
  responseWaitMs: 2000,
};
