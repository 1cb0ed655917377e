/** Descriptions of the servers that follow from what the built servers print. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { SERVERS } from "../src/about.ts";
import { writtenFromBuilt } from "../src/generated-files.ts";
import { folderOf } from "../src/repository.ts";
import { checkToolsets } from "../src/toolsets.ts";

test("writes READMEs and TOOLS.md by `pnpm release:describe`", async () => {
  for (const [file, text] of await writtenFromBuilt())
    expect([file, readFileSync(file, "utf8")], `${file} is out of date: run pnpm build && pnpm release:describe, and commit it`).toEqual([
      file,
      text,
    ]);
});

describe.each(SERVERS)("$name", (about) => {
  test("has an entry for hosts with the same name in its README and from --print-config", () => {
    const { stdout } = spawnSync(process.execPath, [join(folderOf(about), "dist/bin.js"), "--print-config", "json"], { encoding: "utf8" });
    const [, block = ""] = /```json\n([^]*?)```/.exec(readFileSync(join(folderOf(about), "README.md"), "utf8")) ?? [];
    for (const text of [stdout, block]) {
      const { mcpServers } = JSON.parse(text) as { mcpServers: object };
      expect(Object.keys(mcpServers)).toEqual([about.name]);
    }
  });

  test("names its toolsets", () => {
    checkToolsets(about);
  });
});
