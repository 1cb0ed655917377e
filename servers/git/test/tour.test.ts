// Each known tool once, in every revision. `tour.deep.test.ts` does the same over the other transports.
import { TESTED_REVISIONS } from "@oarlock/testing";
import { testTour } from "./support/tour.ts";

for (const revision of TESTED_REVISIONS) testTour(revision, "memory");
