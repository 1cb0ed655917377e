// Updates the list of resources when entities are created, deleted or renamed.
import { NotificationThrottle } from "@oarlock/domain-kit";
import type { Server } from "@oarlock/server-kit";
import type { Watch } from "../graph/graph.ts";

/** Returns the function that ends the updates. */
export function updateResourceList(watch: Watch, resources: Pick<Server["resources"], "touch">): () => void {
  const throttle = new NotificationThrottle(() => resources.touch());
  const stopWatching = watch({ kind: "names" }, () => throttle.changed(), { isPassive: true });
  return () => {
    throttle.cancel();
    stopWatching();
  };
}
