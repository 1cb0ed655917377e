// Access control lists of Linux, set and read by the programs of the packages acl and attr.
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, chownSync, linkSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { editText } from "../../../src/disk/edit/file-editor.ts";
import { AttributeTakeover } from "../../../src/disk/attributes/attribute-takeover.ts";
import { copy } from "../../../src/disk/transfer/copy.ts";
import { move } from "../../../src/disk/transfer/move.ts";
import { replace } from "../../../src/disk/write/atomic-replace.ts";
import { bytesFill } from "../../../src/disk/write/file-bytes.ts";
import { withLock } from "../../../src/disk/write/name-lock.ts";
import { writeText } from "../../../src/disk/write/text-writer.ts";
import { writeTarget } from "../../../src/disk/write/write-target.ts";
import { hasOtherDevice } from "../../support/other-device.ts";
import { scratch } from "../support/scratch.ts";
import { world } from "../support/world.ts";

const run = (program: string, ...args: string[]): string => execFileSync(program, args, { encoding: "utf8", stdio: "pipe" });
const aclOf = (path: string): string => run("getfacl", "-cpn", path).trim();
const notesOf = (path: string): string => run("getfattr", "--only-values", "-n", "user.note", path);

/** Needs the programs, and temporary files on a file system with both. */
function canSet(): boolean {
  const folder = mkdtempSync(join(tmpdir(), "oarlock-acl-"));
  try {
    writeFileSync(join(folder, "f"), "");
    const args = [
      ["setfacl", "-m", "u:1234:r", join(folder, "f")],
      ["setfattr", "-n", "user.note", "-v", "x", join(folder, "f")],
    ] as const;
    return args.every(([program, ...rest]) => spawnSync(program, rest).status === 0);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Otherwise the tests are skipped: no Linux, no programs, or a folder for temporary files without lists or attributes. */
const isPossible = process.platform === "linux" && canSet();
/** Lists alone: older kernels have no attributes there. */
const isOtherDevice = isPossible && hasOtherDevice;

/** Grants to a user, denies another one, and has a mask that is wider than the rights of the group. */
function listed(path: string): string {
  run("setfacl", "-m", "u:1234:rw,u:1235:---,g::---,m::rw", path);
  run("setfattr", "-n", "user.note", "-v", "kept", path);
  return aclOf(path);
}

test.runIf(isPossible)("keeps ACL and attributes of a file that is overwritten, edited or replaced by a longer one (L8)", async () => {
  const place = scratch({ written: "one", edited: "one", longer: "one" });
  const sandbox = await place.sandbox();
  linkSync(place.at("longer"), place.at("second"));
  const before = listed(place.at("written"));
  for (const name of ["edited", "longer"]) expect(listed(place.at(name))).toBe(before);
  const losses = [
    (await writeText(sandbox, place.at("written"), "two")).loss,
    (await editText(sandbox, place.at("edited"), [{ oldText: "one", newText: "two" }])).loss,
    (await writeText(sandbox, place.at("longer"), "two", { mode: "append" })).loss,
  ];
  expect(losses).toEqual([undefined, undefined, undefined]);
  for (const name of ["written", "edited", "longer"]) {
    expect(aclOf(place.at(name))).toBe(before);
    expect(notesOf(place.at(name))).toBe("kept");
  }
});

test.runIf(isPossible)("keeps the ACL of a file that only its owner may read (L8)", async () => {
  const place = scratch({ f: "one" });
  const sandbox = await place.sandbox();
  chmodSync(place.at("f"), 0o400);
  run("setfacl", "-m", "u:1234:r,m::r", place.at("f"));
  const before = aclOf(place.at("f"));
  await writeText(sandbox, place.at("f"), "two");
  expect(aclOf(place.at("f"))).toBe(before);
});

test.runIf(isPossible)("drops set-user-id bits of a file with an ACL (L8)", async () => {
  const place = scratch({ f: "one" });
  const sandbox = await place.sandbox();
  listed(place.at("f"));
  chmodSync(place.at("f"), 0o4765);
  await writeText(sandbox, place.at("f"), "two");
  expect(statSync(place.at("f")).mode & 0o7777).toBe(0o765);
});

test.runIf(isPossible)("notices an ACL that is set between two writes (L8)", async () => {
  const place = scratch({ f: "one" });
  const sandbox = await place.sandbox();
  await writeText(sandbox, place.at("f"), "two");
  await writeText(sandbox, place.at("f"), "three");
  const before = listed(place.at("f"));
  await writeText(sandbox, place.at("f"), "four");
  expect(aclOf(place.at("f"))).toBe(before);
});

test.runIf(isPossible)("gives an overwritten file nothing of its directory's default ACL (L8)", async () => {
  const place = scratch({ f: "one" });
  const sandbox = await place.sandbox();
  chmodSync(place.at("f"), 0o660);
  await writeText(sandbox, place.at("f"), "two");
  const before = aclOf(place.at("f"));
  run("setfacl", "-d", "-m", "u:1234:rw", place.root);
  await writeText(sandbox, place.at("f"), "three");
  expect(aclOf(place.at("f"))).toBe(before);
});

test.runIf(isPossible).each(["before the new file is made", "while it is written"])(
  "notices a default ACL that the directory gets %s (L8)",
  async (moment) => {
    const place = scratch({ f: "one" });
    const sandbox = await place.sandbox();
    chmodSync(place.at("f"), 0o660);
    const before = aclOf(place.at("f"));
    const setDefault = (): string => run("setfacl", "-d", "-m", "u:1234:rw", place.root);
    using entry = writeTarget(sandbox, place.at("f"));
    const old = statSync(place.at("f"), { bigint: true });
    const attributes = new AttributeTakeover(entry, old);
    await attributes.look();
    if (moment === "before the new file is made") setDefault();
    const fill = async (fd: number): Promise<number> => {
      if (moment === "while it is written") setDefault();
      return await bytesFill(Buffer.from("two"))(fd);
    };
    await withLock(entry, (lock) => replace(entry, lock, fill, { old, attributes }, () => undefined));
    expect(aclOf(place.at("f"))).toBe(before);
    await writeText(sandbox, place.at("f"), "three");
    expect(aclOf(place.at("f"))).toBe(before);
  },
);

test.runIf(isPossible)("copies a file with its ACL and attributes, without the destination's default ACL (L8)", async () => {
  const place = scratch({ f: "one", "to/x": "", plain: "one" });
  const sandbox = await place.sandbox();
  run("setfacl", "-d", "-m", "u:1236:rwx", place.at("to"));
  const before = listed(place.at("f"));
  chmodSync(place.at("plain"), 0o660);
  await copy(sandbox, place.at("f"), place.at("to/f"));
  await copy(sandbox, place.at("plain"), place.at("to/plain"));
  expect([aclOf(place.at("to/f")), notesOf(place.at("to/f"))]).toEqual([before, "kept"]);
  expect(aclOf(place.at("to/plain"))).toBe(aclOf(place.at("plain")));
});

test.runIf(isPossible)("copies a directory without rights that an ACL may have denied, and reports it (L8)", async () => {
  const place = scratch({ "d/sub/f": "one", "d/plain": "one", to: null });
  const sandbox = await place.sandbox();
  chmodSync(place.at("d/plain"), 0o664);
  listed(place.at("d/sub/f"));
  run("setfacl", "-m", "u:1235:---", place.at("d/sub"));
  const modes = (top: string) => ["d", "d/plain", "d/sub", "d/sub/f"].map((name) => statSync(join(top, name)).mode & 0o777);
  const { loss } = await copy(sandbox, place.at("d"), place.at("to/d"), { recursive: true });
  expect(modes(place.at("to"))).toEqual([0o755, 0o664, 0o700, 0o600]);
  expect(loss).toContain("2 of the entries");
});

test.runIf(isPossible)("copies a directory below a default ACL without the rights that it would grant (L8)", async () => {
  const place = scratch({ "d/f": "one", to: null });
  const sandbox = await place.sandbox();
  chmodSync(place.at("d/f"), 0o664);
  run("setfacl", "-d", "-m", "u:1234:rwx", place.at("to"));
  await copy(sandbox, place.at("d"), place.at("to/d"), { recursive: true });
  expect(statSync(place.at("to/d/f")).mode & 0o777).toBe(0o604);
});

test.runIf(isOtherDevice)("moves a file to another file system with its ACL, and a directory with fewer rights (L8)", async () => {
  const { root, open, elsewhere } = world();
  const other = elsewhere();
  mkdirSync(join(root, "d"));
  for (const name of ["f", "d/f"]) {
    writeFileSync(join(root, name), "one");
    run("setfacl", "-m", "u:1234:rw,u:1235:---,g::---", join(root, name));
  }
  const before = aclOf(join(root, "f"));
  const sandbox = await open({ directories: [root, other].map((path) => ({ path, readOnly: false })) });
  const file = await move(sandbox, join(root, "f"), join(other, "f"));
  const directory = await move(sandbox, join(root, "d"), join(other, "d"));
  expect([file.loss, aclOf(join(other, "f"))]).toEqual([undefined, before]);
  expect([directory.loss, statSync(join(other, "d/f")).mode & 0o777]).toEqual([expect.stringContaining("1 of the entries"), 0o600]);
});

test.runIf(process.getuid?.() === 0)("gives the group of a copy no rights of the source's group (L8)", async () => {
  const place = scratch({ f: "one", "d/f": "one" });
  const sandbox = await place.sandbox();
  for (const name of ["f", "d/f", "d"]) {
    chownSync(place.at(name), 0, 1234);
    chmodSync(place.at(name), 0o775);
  }
  await copy(sandbox, place.at("f"), place.at("g"));
  await copy(sandbox, place.at("d"), place.at("e"), { recursive: true });
  // The system keeps the group where it copies content in one step, and may.
  const isWider = (path: string) => statSync(path).gid !== 1234 && (statSync(path).mode & 0o020) !== 0;
  expect([place.at("g"), place.at("e/f"), place.at("e")].map(isWider)).toEqual([false, false, false]);
});
