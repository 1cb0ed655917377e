// Files that their user may not write, and directories whose entries it may not change: as another user, in a process of its own.
import { chmodSync, chownSync } from "node:fs";
import { needs } from "@oarlock/testing";
import { expect, test } from "vitest";
import { asOrdinaryUser } from "../support/ordinary-user.ts";
import { scratch } from "../support/scratch.ts";

const isRoot = process.getuid?.() === 0;
const OTHER_USER = 65_534;
const IN_PLACE = "The file was written in place, which is not atomic, because the system does not let its name be replaced.";
const PROTECTED = "The file that was there before was write-protected.";
const closed =
  "io: Directory is write-protected: this user may not change its entries (EACCES): closed. Use another directory, or have its rights changed.";

const attempts = (refused: string) => ({ write: refused, append: refused, edit: refused, copy: refused, content: "old" });

test("refuses to write a file without the right to write, and reports one that is replaced or removed", needs("file modes"), async () => {
  const place = scratch({ protected: "old", own: "own" });
  const refused =
    "io: File is write-protected: this user may not write it (EACCES): protected. Make it writable first, or write another file.";
  expect(await asOrdinaryUser(place, "protectedFile", undefined, "write-access")).toEqual({
    attempted: attempts(refused),
    isProtected: true,
    moved: PROTECTED,
    undone: "done",
    restored: "old",
    deleted: "done",
  });
});

test(
  "writes in place where the directory is write-protected, brings back the old content, and names the directory",
  needs("file modes"),
  async () => {
    const place = scratch({ "closed/f": "old", own: "own", "d/x": "x" });
    expect(await asOrdinaryUser(place, "closedFolder", undefined, "write-access")).toEqual({
      written: IN_PLACE,
      contents: ["new", "old", "new"],
      edit: IN_PLACE,
      copied: IN_PLACE,
      isSame: true,
      create: closed,
      folder: closed,
      into: closed,
      out: closed,
      copyInto: closed,
      tree: closed,
      plan: closed,
      deleted: closed,
      names: ["f"],
    });
  },
);

test.runIf(isRoot)("refuses files of others, writes shared ones, and reports whose they are then", async () => {
  const place = scratch({ foreign: "old", own: "own", shared: "old", "sticky/f": "old" });
  const others = (): void => {
    for (const name of ["foreign", "shared", "sticky", "sticky/f"]) chownSync(place.at(name), 0, 0);
    for (const [name, mode] of [
      ["foreign", 0o644],
      ["shared", 0o666],
      ["sticky", 0o1777],
      ["sticky/f", 0o666],
    ] as const)
      chmodSync(place.at(name), mode);
  };
  const refused =
    "io: File is write-protected: this user may not write it (EACCES): foreign. Only its owner or an administrator can change that, or write another file.";
  expect(await asOrdinaryUser(place, "foreignFiles", others, "write-access")).toEqual({
    foreign: attempts(refused),
    shared: [
      `The owner of the file could not be kept: its owner is user ${OTHER_USER} instead of 0, and its group is ${OTHER_USER} instead of 0.`,
      "new",
      { uid: OTHER_USER, gid: OTHER_USER },
    ],
    sticky: [IN_PLACE, "new", 0],
    deleted: "io: Only its owner may move or remove it, because its directory is sticky (EPERM): sticky/f",
    left: true,
  });
});
