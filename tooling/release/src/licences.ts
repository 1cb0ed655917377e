/** Writes the table of docs/licences.md, from the packed servers: `pnpm release:licences`, after a build. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempFolder } from "@oarlock/testing";
import { packageOf, SERVERS } from "./about.ts";
import { pageWith } from "./generated-files.ts";
import { licenceTable } from "./licence-table.ts";
import { install } from "./pack.ts";
import { packedOnce } from "./packed-once.ts";
import { root } from "./repository.ts";
import { sbomOf } from "./sbom.ts";

const tarballs = await packedOnce();
const sboms = SERVERS.map(async (about) => {
  await using folder = tempFolder();
  await install(packageOf(about), tarballs, folder.path);
  return [about.name, await sbomOf(about, folder.path)] as const;
});
writeFileSync(...pageWith(join(root, "docs/licences.md"), { licences: licenceTable(new Map(await Promise.all(sboms))) }));
