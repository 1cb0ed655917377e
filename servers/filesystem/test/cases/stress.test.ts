// The judge of the cases: it must notice what it is there to notice.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tryAll } from "./entrances.ts";
import { besiege, type Siege, type SiegeOptions } from "./stress.ts";

const open: SiegeOptions = { directories: (base) => [join(base, "ROOT"), join(base, "OUT")] };

test.each([
  ["(a) the secret in a text", (siege: Siege) => siege.call("read_text_file", { path: join(siege.out, "secret.txt") })],
  ["(a) the secret in Base64", (siege: Siege) => siege.call("read_media_file", { path: join(siege.out, "secret.txt") })],
  ["(b) a new file in OUT", (siege: Siege) => siege.call("write_file", { path: join(siege.out, "new"), content: "x" })],
  [
    "(b) a directory gone from OUT",
    (siege: Siege) => siege.call("move_file", { source: join(siege.out, "sub"), destination: siege.at("taken") }),
  ],
  ["(c) the mark", async (siege: Siege) => writeFileSync(join(siege.base, "MARK"), "")],
  [
    "(d) a plain request that is not answered rightly",
    (siege: Siege) => siege.call("write_file", { path: siege.at("plain.txt"), content: "other" }),
  ],
  ["(e) a temporary file", async (siege: Siege) => writeFileSync(siege.at(".oarlock-0123.tmp"), "")],
] as const)("notices %s", async (what, act) => {
  await using siege = await besiege({}, open);
  await siege.judge();
  await act(siege);
  await expect(siege.judge()).rejects.toThrow(what.startsWith("(d)") ? /plain/ : what.slice(0, 3));
});

test("the ways in are all taken: a path that may be touched is served by each", async () => {
  await using siege = await besiege();
  const refusedBy: string[] = [];
  for (const name of ["canary.txt", "folder"]) {
    for (const { entrance, refused } of await tryAll(siege, siege.at(name), (entrance) => ready(siege, name, entrance.name)))
      if (refused) refusedBy.push(`${entrance} ${name}`);
  }
  expect(refusedBy).toEqual([]);
});

/** Puts things as an entrance needs them; false when it is not for this kind of thing. */
function ready(siege: Siege, name: string, entrance: string): boolean {
  if (entrance.startsWith("completion")) return false; // answers only with names of OUT, as it counts them
  if (/^(move_file over|copy_file over|delete_file)$/.test(entrance)) return false; // wants a yes of the user
  for (const left of ["canary.txt", "folder", "stolen.txt"]) rmSync(siege.at(left), { recursive: true, force: true });
  writeFileSync(siege.at("plain.txt"), "plain\n");
  const isFolder = name === "folder";
  const takesFolder = /^(list_|directory_tree|search_files|create_directory|prompt explore)/.test(entrance);
  const takesBoth = /^(get_file_info|move_file from|copy_file from|delete_file|prompt find|resources)/.test(entrance);
  if (!takesBoth && takesFolder !== isFolder) return false;
  if (/^(create_directory$|write_file create$|(move|copy)_file to)/.test(entrance)) return true;
  if (isFolder) mkdirSync(siege.at(name));
  else writeFileSync(siege.at(name), "canary\n");
  return true;
}
