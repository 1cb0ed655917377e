// The Inspector lists the skill of a built server, and verifies every file of it (SEP-2640). The long tier adds the three others, which serve theirs by
// the same extension.
import { fileURLToPath } from "node:url";
import { isLong } from "@oarlock-tooling/test-support/long-tier";
import { tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { inspect } from "./support/inspector.ts";

const SERVERS: Readonly<Record<string, (folder: string) => string[]>> = {
  filesystem: (folder) => [folder],
  git: (folder) => ["--repositories-root", folder],
  sqlite: (folder) => ["--db-path", `${folder}/data.db`],
  memory: (folder) => ["--db", `${folder}/memory.db`],
};

test.each(isLong ? Object.keys(SERVERS) : ["filesystem"])("verifies the skill of %s", async (name) => {
  await using folder = tempFolder({ home: {}, work: {} });
  const bin = fileURLToPath(new URL(`../../../servers/${name}/dist/bin.js`, import.meta.url));
  const command = [process.execPath, bin, ...SERVERS[name]!(folder.at("work"))];
  const verify = ["--method", "skills/list", "--verify", "--require-digests", "--protocol-era", "modern"];
  const { code, output, stderr } = await inspect(folder.at("home"), [...command, ...verify]);
  expect({ code, output }, stderr).toMatchObject({
    code: 0,
    output: {
      uri: `skill://oarlock-${name}/use-${name}/SKILL.md`,
      outcome: "verified",
      conformance: [],
      frontmatter: [],
      files: Array.from({ length: 3 }, () => expect.objectContaining({ status: "verified" })),
    },
  });
});
