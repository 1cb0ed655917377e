// Updates the list of resources when entities are created, deleted or renamed.
import { NotificationThrottle } from "@oarlock/domain-kit";
import type { Server } from "@oarlock/server-kit";
import type { ChangeFeed } from "../graph/watch/change-feed.ts";

/** Returns the function that ends the updates. */
export function updateResourceList(changeFeed: ChangeFeed, resources: Server["resources"]): () => void {
  const throttle = new NotificationThrottle(() => resources.touch());
  const stopWatching = changeFeed.watch({ kind: "names" }, () => throttle.changed(), { isPassive: true });
  return () => {
    throttle.cancel();
    stopWatching();
  };
}
