/** CPU time of the kit grows linearly with requests, sessions, streams, events and bytes. */
import { describe, expect, test } from "vitest";
import { growthOf } from "./support/growth.ts";
import { CONNECTION } from "./support/kit-growth/connection.ts";
import { SESSIONS } from "./support/kit-growth/http.ts";

describe.each([
  ["one connection", CONNECTION],
  ["HTTP", SESSIONS],
])("%s", (_title, cases) => {
  test.each(Object.entries(cases))("%s", { timeout: 300_000 }, async (_name, { size, bound, prepare }) => {
    const { times, ms } = await growthOf(prepare, size, bound);
    expect(times).toBeLessThan(bound);
    expect(ms).toBeGreaterThan(4); // shorter times are below the resolution of the clock
  });
});
