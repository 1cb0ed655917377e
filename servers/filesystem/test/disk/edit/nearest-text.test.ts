// What is said of a text that was not found.
import { expect, test } from "vitest";
import { describeNearest } from "../../../src/disk/edit/nearest-text.ts";

test.each([
  ["a blank that does not break", "total 5 kg\n", "total 5\u00a0kg", String.raw`oldText has "total 5\u00a0kg", the file has "total 5 kg"`],
  ["a blank without width", "a long\u200b line\n", "a long line", String.raw`oldText has "a long line", the file has "a long\u200b line"`],
  ["an accent of its own", "un cafe\u0301 noir", "un caf\u00e9 noir", String.raw`"un caf\u00e9 noir", the file has "un cafe\u0301 noir"`],
  ["what can be seen", "日本は…\n", "日本が…", `oldText has "日本が…", the file has "日本は…"`],
])("describes an invisible difference: %s", (_, file, old, replyText) => {
  expect(describeNearest(file, old).join("\n")).toContain(replyText);
});
