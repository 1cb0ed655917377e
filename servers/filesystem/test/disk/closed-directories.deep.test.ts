// Folders that may not be read, or only listed: as another user, in a process of its own.
import { chmodSync, chownSync, existsSync } from "node:fs";
import { needs } from "@oarlock/testing";
import { expect, test } from "vitest";
import { hasOtherDevice } from "../support/other-device.ts";
import { asOrdinaryUser } from "./support/ordinary-user.ts";
import { scratch } from "./support/scratch.ts";

test("counts an unreadable folder and finds the rest", needs("file modes"), async () => {
  const place = scratch({ "closed/f": "", "yes/f": "" });
  expect(await asOrdinaryUser(place, "search")).toMatchObject({
    paths: [place.at("yes/f")],
    walked: { unreadable: 1, unreadablePaths: [place.at("closed")] },
  });
});

test("notices changes of a folder once it becomes readable", needs("file modes"), async () => {
  expect(await asOrdinaryUser(scratch({ "closed/f": "" }), "watch")).toEqual({ whileClosed: 0, onceOpen: true });
});

test("explains why it cannot search a closed folder, and lists names without sizes", needs("POSIX"), async () => {
  const place = scratch({ "closed/f": "1" });
  const refused = expect.stringMatching(`^io: The operating system does not permit this .*: ${place.at("closed")}$`);
  expect(await asOrdinaryUser(place, "whole")).toEqual([
    { copied: refused, doomed: refused, moved: refused, listed: refused },
    { copied: refused, doomed: refused, moved: "", listed: [{ name: "f", type: "file", size: 0 }] },
  ]);
  for (const name of ["copy", "moved"]) expect(existsSync(place.at(name))).toBe(false);
});

const canBeBoth = process.getuid?.() === 0 && hasOtherDevice;

test.runIf(canBeBoth)("copies and deletes nothing that cannot be removed, and names the directory that is the cause", async () => {
  const place = scratch({ "closed/f": "1", free: null, "tree/a": "2", "tree/shut/f": "3", "sticky/f": "4" });
  const others = () => {
    for (const name of ["sticky", "sticky/f"]) chownSync(place.at(name), 0, 0);
    chmodSync(place.at("sticky"), 0o1777);
    chmodSync(place.at("sticky/f"), 0o666);
  };
  const closed = (name: string) =>
    `io: Directory is write-protected: this user may not change its entries (EACCES): ${place.at(name)}. Use another directory, or have its rights changed.`;
  expect(await asOrdinaryUser(place, "remove", others)).toEqual({
    moved: closed("closed"),
    across: closed("closed"),
    acrossWhole: closed("tree/shut"),
    deleted: expect.stringContaining(closed("tree/shut")),
    foreign: `io: Only its owner may move or remove it, because its directory is sticky (EPERM): ${place.at("sticky/f")}`,
    left: [["f"], [], ["f"], ["f"], []],
  });
});

test.runIf(process.getuid?.() === 0)(
  "L8 gives the user's group no more than others have when the group of a file cannot be kept",
  async () => {
    const place = scratch({ shared: "old", private: "old", closed: null });
    const others = () => {
      for (const [name, mode] of [
        ["shared", 0o676],
        ["private", 0o672],
      ] as const) {
        chownSync(place.at(name), 0, 0);
        chmodSync(place.at(name), mode);
      }
    };
    expect(await asOrdinaryUser(place, "overwrite", others)).toEqual({ shared: 0o666, private: 0o622 });
  },
);
