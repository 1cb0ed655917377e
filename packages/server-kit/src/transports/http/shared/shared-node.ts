// SharedNode: what all parts of one node use to share its sessions with other nodes.
import type { Backplane } from "../../../backplane/backplane.ts";
import type { Runtime } from "../../../server/runtime.ts";
import type { HttpLimits } from "../http-limits.ts";
import type { NodeLease } from "./node-lease.ts";
import type { NodeTimes } from "./node-times.ts";
import type { SharedRates } from "../stateless/shared/shared-rates.ts";

export interface SharedNode {
  readonly runtime: Runtime;
  readonly backplane: Backplane;
  readonly limits: Readonly<HttpLimits>;
  readonly times: Readonly<NodeTimes>;
  readonly lease: NodeLease;
  readonly rates: SharedRates;
  /** Names this node in messages about changes. */
  readonly changesId: string;
  /** Makes the id of a request to a client, which tells all nodes where its response belongs. */
  makeRequestId(mayChange: boolean): number;
}
