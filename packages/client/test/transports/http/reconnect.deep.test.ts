// A connection that breaks, in revisions whose streams do not begin with an event: the client waits for seconds there.
import { test } from "vitest";
import { findRevision, REVISIONS } from "@oarlock/server-kit/protocol";
import { expectNothingLost } from "../../support/broken-connection.ts";

const isSlow = (revision: string): boolean => {
  const facts = findRevision(revision)?.facts;
  return facts?.era === "handshake" && !facts.primingEvent;
};

test.concurrent.for(REVISIONS.filter(isSlow))(
  "RESUME-04 RESUME-07 HTTP-28: keeps calls and notifications over a broken connection — %s",
  (revision) => expectNothingLost(revision),
);
