// Each known tool once over stdio and HTTP, with a handshake and stateless. `tour.test.ts` has all revisions in memory.
import { testTour } from "./support/tour.ts";

for (const revision of ["2025-11-25", "2026-07-28"]) for (const transport of ["stdio", "http"] as const) testTour(revision, transport);
