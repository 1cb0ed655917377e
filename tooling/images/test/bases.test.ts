// The Dockerfiles take the Node and the Debian of this repository.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SERVERS } from "@oarlock-tooling/release/about";
import { folderOf, manifestOf, root } from "@oarlock-tooling/release/repository";
import { expect, test } from "vitest";
import { stagesOf } from "./support/dockerfile.ts";

test.each(SERVERS)("the Dockerfile of $name pins its bases by version and takes the Node of this repository", (about) => {
  const [install, final, ...others] = stagesOf(readFileSync(join(folderOf(about), "Dockerfile"), "utf8"));
  expect(others).toEqual([]);
  expect(install?.base).toBe(`node:${manifestOf(root).devDependencies?.["node"]}-trixie-slim`);
  expect(final?.base).toBe("debian:trixie-slim");
});
