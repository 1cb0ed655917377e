// What is said of last lines that do not all fit into a reply.
import { connectTo, tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { text } from "../support/served-folder.ts";
import { targetOf } from "../support/target.ts";

test("drops the first of too many last lines, and does not report that more follows", async () => {
  const lines = Array.from({ length: 5000 }, (_, at) => `line ${at}`);
  await using folder = tempFolder({ f: `${lines.join("\n")}\n` });
  await using wired = await connectTo(await targetOf({ directories: [folder.path], maxResultBytes: 10_000 }));
  const read = async (part: Record<string, number>) => text(await wired.client.call("read_text_file", { path: folder.at("f"), ...part }));
  const tail = await read({ tail: 4000 });
  expect(tail).toContain("line 4999\n");
  const notice = "[truncated: not all of these lines fit, and the first ones are missing]";
  expect(tail.split("\n").filter((line) => !line.startsWith("line "))).toEqual([notice, ""]);
  const head = await read({ head: 4000 });
  expect(head.split("\n")[0]).toMatch(/^\[truncated: more follows; go on with offset \d+\]$/);
  expect(
    head
      .split("\n")
      .filter((line) => !line.startsWith("line "))
      .slice(1),
  ).toEqual(["[truncated]"]);
});
