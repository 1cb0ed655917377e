// A complaint about answers that concerns the process of the server. The manual lists it.
import { expect, test } from "vitest";
import { world } from "../support/world.ts";

test("MarcusJellinghaus/mcp-workspace#204 returns text of every language whole, in any locale", async () => {
  const message = "Grüße, 你好, привет, שלום, 🚀\n\n第二行";
  await using at = await world({ tree: { f: "one" }, transport: "stdio", env: { LC_ALL: "C", LANG: "tr_TR" } });
  await at.call("git_commit", { message, allow_empty: true, author: "Žofia Ñandú <z@example.org>" });
  const { data, text } = await at.call("git_log", { max_count: 1 });
  expect(data["commits"]).toMatchObject([{ subject: "Grüße, 你好, привет, שלום, 🚀", author: "Žofia Ñandú" }]);
  expect(text).toContain("第二行");
  expect(at.repository.git("log", "-1", "--format=%B").trimEnd()).toBe(message);
});
