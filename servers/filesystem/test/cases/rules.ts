// The rules that each case ends with must notice what they are there to notice.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Tree } from "@oarlock/testing";
import { expect, test } from "vitest";
import type { Attacked, AttackOptions } from "./attacked.ts";

const open: AttackOptions = { directories: (base) => [join(base, "ROOT"), join(base, "OUT")] };

const BREACHES: readonly (readonly [what: string, act: (attacked: Attacked) => Promise<unknown>])[] = [
  ["(a) the secret in a text", (attacked) => attacked.call("read_text_file", { path: join(attacked.out, "secret.txt") })],
  ["(a) the secret in Base64", (attacked) => attacked.call("read_media_file", { path: join(attacked.out, "secret.txt") })],
  ["(b) a new file in OUT", (attacked) => attacked.call("write_file", { path: join(attacked.out, "new"), content: "x" })],
  [
    "(b) a directory gone from OUT",
    (attacked) => attacked.call("move_file", { source: join(attacked.out, "sub"), destination: attacked.at("taken") }),
  ],
  ["(c) the mark", async (attacked) => writeFileSync(join(attacked.base, "MARK"), "")],
  [
    "(d) a plain request that is not answered rightly",
    (attacked) => attacked.call("write_file", { path: attacked.at("plain.txt"), content: "other" }),
  ],
  ["(e) a temporary file", async (attacked) => writeFileSync(attacked.at(".oarlock-0123.tmp"), "")],
];

/** Registers one test for each breach of a rule. */
export function testRules(start: (tree: Tree, options: AttackOptions) => Promise<Attacked>): void {
  test.each(BREACHES)("notices %s", async (what, act) => {
    await using attacked = await start({}, open);
    await attacked.checkRules();
    await act(attacked);
    await expect(attacked.checkRules()).rejects.toThrow(what.startsWith("(d)") ? /plain/ : what.slice(0, 3));
  });
}
