import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { networkFileSystem, refuseNetworkFiles } from "../src/shared-files.ts";

test("recognizes network file systems by the type that statfs returns", () => {
  // As in linux/magic.h; a type above 2^31 may come as a negative number.
  expect([0x6969, 0xff534d42, 0xfe534d42, 0xfe534d42 | 0, 0x517b].map(networkFileSystem)).toEqual(["NFS", "CIFS", "SMB", "SMB", "SMB"]);
  expect([0xef53, 0x58465342, 0x01021994, 0x794c7630].map(networkFileSystem)).toEqual([undefined, undefined, undefined, undefined]);
});

test("accepts files on a local disk, missing ones included", () => {
  expect(() => refuseNetworkFiles([join(tmpdir(), "missing.db"), "/missing/too.db"], "Remedy.")).not.toThrow();
});
