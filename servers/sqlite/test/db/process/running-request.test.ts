// One request to a database process.
import { tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { childFile } from "../../../src/child-file.ts";
import { DatabaseProcess } from "../../../src/db/process/database-process.ts";
import { RunningRequest } from "../../../src/db/process/running-request.ts";
import { makeDatabase } from "../../support/databases.ts";

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

test("RunningRequest counts its work from when its process is ready, so that a start needs no spare process", async () => {
  await using folder = tempFolder();
  const file = makeDatabase(folder.at("shop.db"), "CREATE TABLE t (a)");
  const process = new DatabaseProcess({
    ...{ script: childFile, file, label: "shop", maxTimeoutMs: 120_000, write: false, create: false, writesLargeFiles: false },
  });
  const worked: number[] = [];
  const owner = { onTick: (_request: RunningRequest, workedMs: number) => void worked.push(workedMs), onEnd: () => undefined };
  const begin = (): RunningRequest => {
    const request = new RunningRequest({ op: "versions" }, { caller: new AbortController(), timeoutMs: 120_000 }, owner);
    request.start(process);
    return request;
  };
  const first = begin();
  first.tick(first.startedAt + 1000);
  expect(worked).toEqual([-Infinity]);
  await first.answer;
  const second = begin();
  worked.length = 0;
  second.tick(second.startedAt + 40);
  expect(worked).toEqual([expect.closeTo(40)]);
  await second.answer;
  process.close();
  await process.ended;
});

test("RunningRequest is not run when no process was free for half of its time", async () => {
  const ignore = (): void => {};
  const request = new RunningRequest(
    { op: "versions" },
    { caller: new AbortController(), timeoutMs: 20_000 },
    { onTick: ignore, onEnd: ignore },
  );
  request.tick(request.startedAt + 9_999);
  request.tick(request.startedAt + 10_000);
  await expect(request.answer).rejects.toThrow("Not run: in 10000 ms no process was free, because too many queries run.");
});
