// Runs the handler of each request for the person who sent it, so that work deep in a server is shared out fairly.
import { actFor } from "@oarlock/domain-kit";
import type { Observer } from "@oarlock/server-kit";

export const actingPeople: Observer = {
  requestStarted: ({ principal }) =>
    principal === undefined ? undefined : { run: (handler) => actFor(principal, handler), ended: () => undefined },
};
