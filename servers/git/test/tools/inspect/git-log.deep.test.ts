// Pages of git_log with messages that are larger than a page.
import { expect, test } from "vitest";
import { hashes } from "../../support/oracle.ts";
import { world } from "../../support/world.ts";

test("spreads long messages over several pages", async () => {
  await using at = await world({ tree: { a: "a" } });
  const message = `${"long ".repeat(2_000_000)}\n`;
  for (const number of [1, 2, 3, 4, 5, 6, 7])
    at.repository.raw(["commit", "--allow-empty", "--quiet", "-F", "-"], { input: `commit ${number}\n\n${message}` });
  const seen: string[] = [];
  let cursor: unknown;
  do {
    const { data } = await at.call("git_log", { ...(cursor !== undefined && { cursor }) });
    seen.push(...(data["commits"] as { hash: string }[]).map(({ hash }) => hash));
    cursor = data["nextCursor"];
  } while (cursor !== undefined);
  expect(seen).toEqual(hashes(at.repository));
});
