// One request: what still comes in after its end is not for whoever asked.
import { expect, test } from "vitest";
import { Run } from "../../../src/db/process/running-request.ts";

test("no progress is told of a request that is over", () => {
  const told: number[] = [];
  const call = { asker: new AbortController(), timeoutMs: 1000, progress: (done: number) => told.push(done) };
  const nothing = (): void => {};
  const run = new Run({ op: "versions" }, call, { resolve: nothing, reject: nothing }, { looked: nothing, ended: nothing });
  run.progress(1, 3);
  run.failed(new Error("stopped"));
  run.progress(2, 3);
  expect(told).toEqual([1]);
});
