// One request to a database process.
import { expect, test } from "vitest";
import { RunningRequest } from "../../../src/db/process/running-request.ts";

test("RunningRequest drops progress that arrives after its end", async () => {
  const seen: number[] = [];
  const options = { caller: new AbortController(), timeoutMs: 1000, onProgress: (done: number) => seen.push(done) };
  const ignore = (): void => {};
  const request = new RunningRequest({ op: "versions" }, options, { onTick: ignore, onEnd: ignore });
  request.progress(1, 3);
  request.fail(new Error("stopped"));
  request.progress(2, 3);
  expect(seen).toEqual([1]);
  await expect(request.answer).rejects.toThrow("stopped");
});
