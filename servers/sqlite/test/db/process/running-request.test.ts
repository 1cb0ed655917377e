// One request to a database process.
import { expect, test } from "vitest";
import { RunningRequest } from "../../../src/db/process/running-request.ts";

test("drops progress that arrives after the request has ended", async () => {
  const seen: number[] = [];
  const options = { caller: new AbortController(), timeoutMs: 1000, onProgress: (done: number) => seen.push(done) };
  const nothing = (): void => {};
  const request = new RunningRequest({ op: "versions" }, options, { onTick: nothing, onEnd: nothing });
  request.progress(1, 3);
  request.fail(new Error("stopped"));
  request.progress(2, 3);
  expect(seen).toEqual([1]);
  await expect(request.answer).rejects.toThrow("stopped");
});
