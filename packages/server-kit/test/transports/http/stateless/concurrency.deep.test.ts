// Ten thousand stateless requests that all have the same id.
import { expect, test } from "vitest";
import { overBoth } from "../../../support/stateless-faces.ts";
import { echoMany } from "../../../support/stateless-load.ts";
import { stockShop } from "../../../support/stateless-shop.ts";

overBoth("under load", (face) => {
  test("case HTTP-32 gives each of 10,000 requests with one id, 200 at a time, its own response", async () => {
    await using place = await face.open(stockShop().server);
    await echoMany(place, 10_000);
    expect(place.counts()).toMatchObject({ sessions: 0, streams: 0, running: 0 });
  });
});
