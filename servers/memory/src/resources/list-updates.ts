// Tells clients that the list of resources is another one when entities come, go or change their names.
import type { Server } from "@oarlock/server-kit";
import type { Changes } from "../graph/watch/change-feed.ts";

/** Changes that follow quickly are told together. */
const GATHER = 250;

/** Gives the function that ends it. */
export function followNames(changes: Changes, resources: Server["resources"]): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const changed = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      resources.touch();
    }, GATHER).unref();
  };
  const stop = changes.watch({ kind: "names" }, changed, true);
  return () => {
    clearTimeout(timer);
    stop();
  };
}
