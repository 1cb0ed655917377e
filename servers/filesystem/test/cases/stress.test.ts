// The judge of the cases: it must notice what it is there to notice.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tryAll } from "./entrances.ts";
import { startStress, type Stress, type StressOptions } from "./stress.ts";

const open: StressOptions = { directories: (base) => [join(base, "ROOT"), join(base, "OUT")] };

test.each([
  ["(a) the secret in a text", (stress: Stress) => stress.call("read_text_file", { path: join(stress.out, "secret.txt") })],
  ["(a) the secret in Base64", (stress: Stress) => stress.call("read_media_file", { path: join(stress.out, "secret.txt") })],
  ["(b) a new file in OUT", (stress: Stress) => stress.call("write_file", { path: join(stress.out, "new"), content: "x" })],
  [
    "(b) a directory gone from OUT",
    (stress: Stress) => stress.call("move_file", { source: join(stress.out, "sub"), destination: stress.at("taken") }),
  ],
  ["(c) the mark", async (stress: Stress) => writeFileSync(join(stress.base, "MARK"), "")],
  [
    "(d) a plain request that is not answered rightly",
    (stress: Stress) => stress.call("write_file", { path: stress.at("plain.txt"), content: "other" }),
  ],
  ["(e) a temporary file", async (stress: Stress) => writeFileSync(stress.at(".oarlock-0123.tmp"), "")],
] as const)("notices %s", async (what, act) => {
  await using stress = await startStress({}, open);
  await stress.checkRules();
  await act(stress);
  await expect(stress.checkRules()).rejects.toThrow(what.startsWith("(d)") ? /plain/ : what.slice(0, 3));
});

test("the ways in are all taken: a path that may be touched is served by each", async () => {
  await using stress = await startStress();
  const refusedBy: string[] = [];
  for (const name of ["canary.txt", "folder"]) {
    for (const { entrance, refused } of await tryAll(stress, stress.at(name), (entrance) => ready(stress, name, entrance.name)))
      if (refused) refusedBy.push(`${entrance} ${name}`);
  }
  expect(refusedBy).toEqual([]);
});

/** Puts things as an entrance needs them; false when it is not for this kind of thing. */
function ready(stress: Stress, name: string, entrance: string): boolean {
  if (entrance.startsWith("completion")) return false; // answers only with names of OUT, as it counts them
  if (/^(move_file over|copy_file over|delete_file)$/.test(entrance)) return false; // wants a yes of the user
  for (const left of ["canary.txt", "folder", "stolen.txt"]) rmSync(stress.at(left), { recursive: true, force: true });
  writeFileSync(stress.at("plain.txt"), "plain\n");
  const isFolder = name === "folder";
  const takesFolder = /^(list_|directory_tree|search_files|create_directory|prompt explore)/.test(entrance);
  const takesBoth = /^(get_file_info|move_file from|copy_file from|delete_file|prompt find|resources)/.test(entrance);
  if (!takesBoth && takesFolder !== isFolder) return false;
  if (/^(create_directory$|write_file create$|(move|copy)_file to)/.test(entrance)) return true;
  if (isFolder) mkdirSync(stress.at(name));
  else writeFileSync(stress.at(name), "canary\n");
  return true;
}
