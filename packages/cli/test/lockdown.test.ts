// The start with --lockdown on a system that shows no owners of files.
import { chmodSync, chownSync } from "node:fs";
import { tempFolder } from "../../testing/src/files/temp-folder.ts";
import { expect, test } from "vitest";
import { refuseForeignFiles, requireFileOwners } from "../src/start/lockdown.ts";

test("refuses --lockdown where files have no owners, with exit code 2 and a remedy", () => {
  expect(() => requireFileOwners(true, false)).toThrow(
    expect.objectContaining({
      name: "StartError",
      code: 2,
      message: expect.stringMatching(/^--lockdown cannot be kept: .*Remove it/) as string,
    }),
  );
  expect(() => requireFileOwners(false, false)).not.toThrow();
  expect(() => requireFileOwners(true, true)).not.toThrow();
});

// Only root can give a file to another user.
test.runIf(process.geteuid?.() === 0)("refuses a file and a folder of another user, with exit code 3", async () => {
  await using folder = tempFolder({ own: "", foreign: "", theirs: {} });
  for (const name of ["foreign", "theirs"]) chownSync(folder.at(name), 4711, 4711);
  expect(() => refuseForeignFiles([folder.at("own"), folder.at("missing"), folder.path])).not.toThrow();
  for (const name of ["foreign", "theirs"])
    expect(() => refuseForeignFiles([folder.at("own"), folder.at(name)])).toThrow(
      expect.objectContaining({ code: 3, message: expect.stringContaining("hidden by --lockdown: its owner, user 4711") as string }),
    );
});

test("refuses a file and a folder that other users can write into", async () => {
  await using folder = tempFolder({ file: "", inside: {} });
  for (const name of ["file", "inside"]) chmodSync(folder.at(name), 0o722);
  for (const name of ["file", "inside"])
    expect(() => refuseForeignFiles([folder.at(name)])).toThrow(
      expect.objectContaining({ code: 3, message: expect.stringMatching(/^Not served with --lockdown: .*chmod go-w/) as string }),
    );
});
