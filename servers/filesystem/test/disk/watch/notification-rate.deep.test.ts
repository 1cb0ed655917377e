// How soon a change is notified, and how many notices quick changes give.
import { appendFileSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, type TestContext } from "vitest";
import { established, listen, NO_LOOKS, watching } from "../support/watching.ts";

test.for([
  ["by the system's watches only", NO_LOOKS],
  ["with the check of each second", {}],
] as const)("notifies of a change within 3 seconds, %s", async ([, options], context: TestContext) => {
  const { place, watcher } = watching(context, { f: "1", "d/x": "" }, options);
  const sandbox = await place.sandbox();
  const [file, folder] = [listen(watcher, sandbox, place.at("f")), listen(watcher, sandbox, place.at("d"))];
  await established(watcher, 2);
  for (let round = 0; round < 3; round++) {
    const start = performance.now();
    await Promise.all([
      file.hears("a write", () => appendFileSync(place.at("f"), "x")),
      folder.hears("a new entry", () => writeFileSync(place.at(`d/${round}`), "")),
    ]);
    expect(performance.now() - start).toBeLessThan(3000);
  }
});

test("sends fewer than 60 notifications for 400 quick changes, the last change included", async (context) => {
  const { place, watcher } = watching(context, { f: "0", "d/x": "" }, {});
  const sandbox = await place.sandbox();
  const [file, folder] = [listen(watcher, sandbox, place.at("f")), listen(watcher, sandbox, place.at("d"))];
  await established(watcher, 2);
  for (let i = 1; i <= 400; i++) {
    writeFileSync(place.at("f"), String(i));
    writeFileSync(place.at(`d/n${i}`), "");
    await sleep(8);
  }
  await Promise.all([
    file.hears("the last", () => writeFileSync(place.at("f"), "end")),
    folder.hears("the last", () => writeFileSync(place.at("d/end"), "")),
  ]);
  await sleep(1500);
  for (const { count } of [file, folder]) {
    expect(count).toBeGreaterThan(2);
    expect(count).toBeLessThan(60);
  }
});
