// A directory that is mounted at two places: what is moved or copied onto itself, or into itself, by its other path.
import { execFileSync, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { SOURCES } from "../support/sources.ts";
import { scratch } from "../support/scratch.ts";

const child = fileURLToPath(new URL("../children/mounted-twice.ts", import.meta.url));
/** Mounts are the administrator's, in a space of names of his own. */
const mayMount = process.platform === "linux" && spawnSync("unshare", ["--mount", "mount", "--bind", "/tmp", "/tmp"]).status === 0;

test.runIf(mayMount)("loses and grows nothing when the other path is another mount", () => {
  const place = scratch({ "a/f": "content", "a/e": null, "a/d/x": "1", b: null });
  const replyText = execFileSync("unshare", ["--mount", process.execPath, ...SOURCES, child, place.at("a"), place.at("b")], {
    encoding: "utf8",
  });
  const { results, left } = JSON.parse(replyText) as { results: string[]; left: string[] };
  expect(results).toEqual(["exists", "exists", "exists", "exists", "invalid", "invalid", "moved"]);
  expect(left).toEqual(["d", "d/x", "e", "g"]);
});
