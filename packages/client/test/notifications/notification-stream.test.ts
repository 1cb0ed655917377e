import { expect, test } from "vitest";
import { NotificationStream } from "../../src/notifications/notification-stream.ts";

test("serves several concurrent readers", async () => {
  const stream = new NotificationStream(() => undefined);
  const reads = [stream.next(), stream.next(), stream.next()];
  for (const uri of ["a://1", "a://2", "a://3"]) {
    stream.push({ kind: "updated", uri });
    await new Promise((resolve) => setImmediate(resolve));
  }
  const results = await Promise.all(reads);
  expect(results.map(({ value }) => value)).toEqual(["a://1", "a://2", "a://3"].map((uri) => ({ kind: "updated", uri })));
});

test("ends every waiting reader", async () => {
  const stream = new NotificationStream(() => undefined);
  const reads = [stream.next(), stream.next()];
  stream.close();
  expect(await Promise.all(reads)).toEqual([
    { value: undefined, done: true },
    { value: undefined, done: true },
  ]);
});
