// The attacks in this process: the rules notice each breach, and every way in is taken.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { startAttack } from "./attack.ts";
import type { Attacked } from "./attacked.ts";
import { tryAll } from "./entrances.ts";
import { testRules } from "./rules.ts";

testRules(startAttack);

test("tries every entry point, and serves an allowed path by each", async () => {
  await using attacked = await startAttack();
  const refusedBy: string[] = [];
  for (const name of ["canary.txt", "folder"]) {
    for (const { entrance, refused } of await tryAll(attacked, attacked.at(name), (entrance) => ready(attacked, name, entrance.name)))
      if (refused) refusedBy.push(`${entrance} ${name}`);
  }
  expect(refusedBy).toEqual([]);
});

/** Puts things as an entrance needs them; false when it is not for this kind of thing. */
function ready(attacked: Attacked, name: string, entrance: string): boolean {
  if (entrance.startsWith("completion")) return false; // answers only with names of OUT, as it counts them
  if (/^(move_file over|copy_file over|delete_file)$/.test(entrance)) return false; // wants a yes of the user
  for (const left of ["canary.txt", "folder", "stolen.txt"]) rmSync(attacked.at(left), { recursive: true, force: true });
  writeFileSync(attacked.at("plain.txt"), "plain\n");
  const isFolder = name === "folder";
  const takesFolder = /^(list_|directory_tree|search_files|create_directory|prompt explore)/.test(entrance);
  const takesBoth = /^(get_file_info|move_file from|copy_file from|delete_file|prompt find|resources)/.test(entrance);
  if (!takesBoth && takesFolder !== isFolder) return false;
  if (/^(create_directory$|write_file create$|(move|copy)_file to)/.test(entrance)) return true;
  if (isFolder) mkdirSync(attacked.at(name));
  else writeFileSync(attacked.at(name), "canary\n");
  return true;
}
