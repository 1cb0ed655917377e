import { expect, test } from "vitest";
import { inodeWithAcl, parseListing, parseNames } from "../../../src/disk/attributes/attribute-programs.ts";
import { allowedMode, lossOf } from "../../../src/disk/attributes/attribute-takeover.ts";
import { treeMode } from "../../../src/disk/attributes/tree-attributes.ts";

const NONE = { acl: false, others: false };
const ACL = { acl: true, others: false };
const UNKNOWN = { acl: undefined, others: false };

test("keeps the mode when no ACL exists or it is copied (L8)", () => {
  expect(allowedMode(0o664, NONE, false)).toBe(0o664);
  expect(allowedMode(0o664, ACL, true)).toBe(0o664);
  expect(allowedMode(0o664, { acl: false, others: true }, false)).toBe(0o664);
});

test("restricts a file to its owner when its ACL, which may deny rights, is not copied (L8)", () => {
  expect(allowedMode(0o775, ACL, false)).toBe(0o700);
});

test("gives the group the rights of others when the ACL is unknown (L8)", () => {
  expect([0o664, 0o660, 0o644, 0o600, 0o750].map((mode) => allowedMode(mode, UNKNOWN, false))).toEqual([0o644, 0o600, 0o644, 0o600, 0o700]);
});

test("narrows a copy in a tree by its own and by an inherited ACL (L8)", () => {
  expect(treeMode(0o775, true, false)).toBe(0o700);
  expect(treeMode(0o775, false, true)).toBe(0o705);
  expect(treeMode(0o775, undefined, false)).toBe(0o755);
  expect(treeMode(0o775, false, false)).toBe(0o775);
});

test("reports a loss of rights only when there is one (L8)", () => {
  expect(lossOf(0o644, 0o644, UNKNOWN)).toBeUndefined();
  expect(lossOf(0o664, 0o644, UNKNOWN)).toContain("no more rights than everybody");
  expect(lossOf(0o664, 0o600, ACL)).toContain("only its owner");
  expect(lossOf(0o664, 0o664, { acl: false, others: true })).toContain("extended attributes");
});

test("reads the names that getfattr prints, those of the directory only if inherited", () => {
  const of = (...lines: string[]) => parseNames(lines, ["/d/f", "/d/g", "/d/."]);
  expect(of()).toEqual([NONE, NONE, NONE]);
  expect(of("# file: /d/f", "system.posix_acl_access", "", "# file: /d/g", "user.note", "")).toEqual([
    ACL,
    { acl: false, others: true },
    NONE,
  ]);
  expect(of("# file: /d/.", "system.posix_acl_access", "user.note", "")).toEqual([NONE, NONE, NONE]);
  expect(of("# file: /d/.", "system.posix_acl_default", "")).toEqual([NONE, NONE, ACL]);
  expect(of(String.raw`# file: /d/f\012`, "user.note")).toBeUndefined();
});

test("reads the modes that ls prints, and refuses other output", () => {
  const line = (mode: string) => `${mode} 1 0 0 1 1795719522 /d/f`;
  expect(parseListing([line("-rw-r--r--"), line("drwxr-xr-x.")], 2)).toEqual([NONE, NONE]);
  expect(parseListing([line("-rw-r--r--+"), line("drwxr-xr-x")], 2)).toEqual([ACL, NONE]);
  expect(parseListing([line("-rw-r--r--")], 2)).toEqual([UNKNOWN, UNKNOWN]);
  expect(parseListing(["total 4", "else"], 2)).toEqual([UNKNOWN, UNKNOWN]);
});

test("finds the inode numbers of entries with an ACL, and none in headings", () => {
  expect(inodeWithAcl("  131 -rw-r--r--+ 1 0 0 1 1795719522 f")).toBe("131");
  expect(inodeWithAcl("131 -rw-r--r-- 1 0 0 1 1795719522 f+")).toBeUndefined();
  expect(inodeWithAcl("/proc/1/fd/2/./131 -rw-r--r--+ 1:")).toBeUndefined();
});
