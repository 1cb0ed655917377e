// NodeContext: what all parts of one node use to share its sessions with other nodes.
import type { HttpLimits, Runtime } from "@oarlock/server-kit/transport";
import type { Backplane } from "../backplane/backplane.ts";
import type { NodeLease } from "./node-lease.ts";
import type { NodeTimes } from "./node-times.ts";

export interface NodeContext {
  readonly runtime: Runtime;
  readonly backplane: Backplane;
  readonly limits: Readonly<HttpLimits>;
  readonly times: Readonly<NodeTimes>;
  readonly lease: NodeLease;
  /** Makes the id of a request to a client, which tells all nodes where its response belongs. */
  makeRequestId(mayChange: boolean): number;
}
