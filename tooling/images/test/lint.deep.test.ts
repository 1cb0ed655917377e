// The Dockerfiles follow the rules of a linter, and the linter finds what it is there to find.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SERVERS } from "@oarlock-tooling/release/about";
import { folderOf } from "@oarlock-tooling/release/repository";
import { tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";

const LINTER = fileURLToPath(import.meta.resolve("dockerlinter/bin/dockerfilelinter.js"));

/** Codes of rules that the file breaks. Commands of `RUN` are not checked: that needs ShellCheck. */
function brokenRules(file: string): string[] {
  const { stdout, stderr } = spawnSync(process.execPath, [LINTER, "--shellcheck", "none", "--json", "--file", file], { encoding: "utf8" });
  if (stderr !== "") throw new Error(stderr);
  return (JSON.parse(stdout || "[]") as { code: string }[]).map(({ code }) => code); // as its README has it
}

test.each(SERVERS)("the Dockerfile of $name breaks no rule of the linter", (about) => {
  expect(brokenRules(join(folderOf(about), "Dockerfile"))).toEqual([]);
});

test("finds an unpinned base or package, a last user root, and a form without signals", async () => {
  await using folder = tempFolder({ Dockerfile: "FROM node\nRUN npm install a\nUSER root\nENTRYPOINT node server.js\n" });
  expect(brokenRules(folder.at("Dockerfile"))).toEqual(["EF0004", "ER0014", "EU0001", "EJ0002"]);
});
