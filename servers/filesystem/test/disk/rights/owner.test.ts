// The owner of what is moved to another file system: a move keeps it, a copy does not.
import { chownSync, lstatSync } from "node:fs";
import { expect, test } from "vitest";
import { copy } from "../../../src/disk/transfer/copy.ts";
import { move } from "../../../src/disk/transfer/move.ts";
import { linuxCalls, onManyDevices } from "../support/platform-calls.ts";
import { scratch } from "../support/scratch.ts";

const OTHER = 54_321;

test.runIf(process.getuid?.() === 0)("keeps the owner in a move to another file system, and not in a copy", async () => {
  const place = scratch({ f: "1", "d/sub/g": "2", to: null });
  for (const name of ["f", "d", "d/sub", "d/sub/g"]) chownSync(place.at(name), OTHER, OTHER);
  const sandbox = await place.sandbox();
  const calls = onManyDevices(linuxCalls);
  await copy(sandbox, "f", "to/copy", { calls });
  expect(lstatSync(place.at("to/copy")).uid).toBe(0);
  for (const name of ["f", "d"]) expect((await move(sandbox, name, `to/${name}`, { calls })).loss).toBeUndefined();
  for (const name of ["f", "d", "d/sub", "d/sub/g"]) {
    const { uid, gid } = lstatSync(place.at(`to/${name}`));
    expect({ name, uid, gid }).toEqual({ name, uid: OTHER, gid: OTHER });
  }
});
