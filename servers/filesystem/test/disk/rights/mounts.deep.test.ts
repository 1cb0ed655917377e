// Files and directories that are mounted, as in containers: the content of a mounted file is changed in place, its name cannot change, and
// a read-only mount is named as the cause.
import { execFileSync, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { SOURCES } from "../support/sources.ts";
import { scratch } from "../support/scratch.ts";

const child = fileURLToPath(new URL("../children/mounts.ts", import.meta.url));
/** Mounts are the administrator's, in a space of names of his own. */
const mayMount = process.platform === "linux" && spawnSync("unshare", ["--mount", "mount", "--bind", "/tmp", "/tmp"]).status === 0;

const IN_PLACE = "The file was written in place, which is not atomic, because the system does not let its name be replaced.";
const mountPoint = (name: string) =>
  `io: Mount point (EBUSY): it cannot be replaced, moved or removed while it is mounted: ${name}. Change its content instead, or have it unmounted.`;
const readOnly = expect.stringMatching(/^read-only: The file system is mounted read-only: \S*ro(\/[a-z]+)?$/);

test.runIf(mayMount)("changes mounted files in place, and names mounts as the cause of what is refused", () => {
  const place = scratch({ "backing/file": "old", "backing/tree/f": "old", "backing/tree/d/x": "old", file: "", ro: null, own: "own" });
  const output = execFileSync("unshare", ["--mount", process.execPath, ...SOURCES, child, place.root], { encoding: "utf8" });
  expect(JSON.parse(output)).toEqual({
    file: {
      write: IN_PLACE,
      contents: ["new", "new", "old"],
      edit: IN_PLACE,
      copy: IN_PLACE,
      isSame: true,
      moveAway: mountPoint("file"),
      moveOver: mountPoint("file"),
      plan: mountPoint("file"),
      deleted: mountPoint("file"),
      toTrash: mountPoint("file"),
      moveTree: mountPoint("ro"),
      left: ["own", false, true],
    },
    ro: {
      write: readOnly,
      create: readOnly,
      append: readOnly,
      edit: readOnly,
      copyOver: readOnly,
      copyInto: readOnly,
      folder: readOnly,
      moveAway: readOnly,
      moveTreeAway: readOnly,
      moveInto: readOnly,
      deleted: readOnly,
      toTrash: readOnly,
      left: [["d", "d/x", "f"], false, true],
    },
  });
});
