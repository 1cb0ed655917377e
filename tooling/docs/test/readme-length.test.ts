/** READMEs stay short: what, install, first use, tools, configuration, security in brief. Details belong to a page in docs/. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../src/examples.ts";

const MAX_WORDS = 1_500;

const READMES = globSync(["README.md", "{packages,servers}/*/README.md", "packages/create-server/template/README.md"], { cwd: root });

/** Words with a letter or a digit, those of tables and code included. */
const countWords = (text: string): number => text.replaceAll(/<!--[^]*?-->/g, "").match(/\S*[\p{L}\p{N}]\S*/gu)?.length ?? 0;

test.each(READMES)("keeps %s within 1,500 words", (file) => {
  const words = countWords(readFileSync(join(root, file), "utf8"));
  const remedy = `${file} has ${words} words, expected at most ${MAX_WORDS}. Move details to a page in docs/ and link it, as servers/git/README.md does.`;
  expect(words, remedy).toBeLessThanOrEqual(MAX_WORDS);
});
