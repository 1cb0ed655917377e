// Thousands of stateless requests that all have the same id.
import { expect, test } from "vitest";
import { overBoth } from "../../../support/stateless-faces.ts";
import { echoMany } from "../../../support/stateless-load.ts";
import { stockShop } from "../../../support/stateless-shop.ts";

const REQUESTS = process.env["OARLOCK_LONG"] === "1" ? 10_000 : 3000;

overBoth("under load", (face) => {
  test(`case HTTP-32 gives each of ${REQUESTS} requests with one id, 200 at a time, its own response`, async () => {
    await using place = await face.open(stockShop().server);
    await echoMany(place, REQUESTS);
    expect(place.counts()).toMatchObject({ sessions: 0, streams: 0, running: 0 });
  });
});
