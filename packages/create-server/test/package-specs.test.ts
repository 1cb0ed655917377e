// The specs of the Oarlock packages for each kind of --kit.
import { tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { packageSpecs } from "../src/package-specs.ts";

const NEEDED = ["@oarlock/cli", "@oarlock/server-kit", "zod"];

test("uses a version or tag for every Oarlock package", () => {
  for (const spec of ["0.2.0", "^1.0.0", "next"])
    expect(packageSpecs(spec, NEEDED)).toEqual({ "@oarlock/cli": spec, "@oarlock/server-kit": spec });
});

test("uses a URL for the kit only", () => {
  const spec = "https://example.com/kit.tgz";
  expect(packageSpecs(spec, NEEDED)).toEqual({ "@oarlock/server-kit": spec });
});

test("uses the tarballs of the same version beside the kit's tarball", async () => {
  await using folder = tempFolder({
    "oarlock-server-kit-0.1.0.tgz": "",
    "oarlock-cli-0.1.0.tgz": "",
    "oarlock-create-server-0.1.0.tgz": "",
    "oarlock-oauth-0.0.9.tgz": "",
    "other-0.1.0.tgz": "",
  });
  const at = (name: string): string => `file:${folder.at(`oarlock-${name}-0.1.0.tgz`)}`;
  expect(packageSpecs(at("server-kit"), NEEDED)).toEqual({
    "@oarlock/cli": at("cli"),
    "@oarlock/create-server": at("create-server"),
    "@oarlock/server-kit": at("server-kit"),
  });
});
