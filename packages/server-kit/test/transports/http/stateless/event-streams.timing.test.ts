// What a reader that stops reading costs of memory (security case HTTP-23).
import { expect, test } from "vitest";
import { overBoth } from "../../../support/stateless-faces.ts";
import { stockShop } from "../../../support/stateless-shop.ts";

overBoth("a slow reader", (face) => {
  test("case HTTP-23 costs less than 150 MB of memory when 300 MB are sent to it", async () => {
    const shop = stockShop();
    await using place = await face.open(shop.server, { limits: { logsPerSecond: 1e6 } });
    const asked = place.call("work", {}, { logLevel: "debug" });
    const { ctx } = await shop.work("it");
    ctx.log.info("first");
    const answer = await asked;
    answer.pause();
    const before = process.memoryUsage().rss;
    for (let line = 0; line < 5000 && !ctx.signal.aborted; line++) {
      ctx.log.info("x".repeat(60_000));
      if (line % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(ctx.signal.aborted).toBe(true);
    expect(process.memoryUsage().rss - before).toBeLessThan(150e6);
    answer.readOn();
    await answer.closed;
  });
});
