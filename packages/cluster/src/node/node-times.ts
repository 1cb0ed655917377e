// NodeTimes: times that the nodes of a cluster agree on, in milliseconds.

export const DEFAULT_NODE_TIMES = {
  /** How long a node counts as running after its last sign of life. */
  leaseMs: 15_000,
  /** Interval of its signs of life. */
  renewMs: 2000,
  /**
   * Time without a sign of life after which a node gives up its event streams; shorter than `leaseMs`. An engine that pauses for 10 seconds
   * must not end the streams of all nodes.
   */
  goneMs: 14_000,
  /** How long a session stays in the memory of a node that no longer serves it. */
  lingerMs: 30_000,
  /** How long the response of an event stream waits for the backplane before it is sent without an event id. */
  responseWaitMs: 2000,
};

export type NodeTimes = typeof DEFAULT_NODE_TIMES;
