// Updates the list of resources when entities are created, deleted or renamed.
import type { Server } from "@oarlock/server-kit";
import type { ChangeFeed } from "../graph/watch/change-feed.ts";

/** Changes within this time are notified together. */
const COLLECT_MS = 250;

/** Returns the function that ends the updates. */
export function updateResourceList(changeFeed: ChangeFeed, resources: Server["resources"]): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const onChange = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      resources.touch();
    }, COLLECT_MS).unref();
  };
  const isPassive = true;
  const stopWatching = changeFeed.watch({ kind: "names" }, onChange, isPassive);
  return () => {
    clearTimeout(timer);
    stopWatching();
  };
}
