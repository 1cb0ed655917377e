/** Notices of what is put into bundles. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { noticesOf } from "../notices.ts";

const folder = mkdtempSync(join(tmpdir(), "notices-"));
afterAll(() => rmSync(folder, { recursive: true }));

function installed(name: string, files: Readonly<Record<string, string>>): string {
  const at = join(folder, "node_modules", name);
  mkdirSync(at, { recursive: true });
  writeFileSync(join(at, "package.json"), JSON.stringify({ name, version: "1.2.3", license: "MIT" }));
  for (const [file, text] of Object.entries(files)) writeFileSync(join(at, file), text);
  return join(at, "lib", "index.js");
}

test("each package stands there once, with all that it says; our own code needs none", () => {
  const b = installed("b", { LICENSE: "of b\n", "NOTICE.md": "and more" });
  const a = installed("@some/a", { "licence.txt": "of a" });
  const line = "-".repeat(80);
  expect(noticesOf([join(folder, "src", "own.js"), b, b, a])).toBe(
    `@some/a 1.2.3 (MIT)\n\nof a\n\n${line}\n\nb 1.2.3 (MIT)\n\nof b\n\nand more\n`,
  );
  expect(noticesOf([join(folder, "src", "own.js")])).toBe("");
});

test("what has no licence is not bundled", () => {
  expect(() => noticesOf([installed("c", {})])).toThrow("c is bundled and says nothing of its licence");
});

test.each(["filesystem", "git", "sqlite", "memory"])("the %s server carries those of jose and zod", (name) => {
  const notices = readFileSync(fileURLToPath(new URL(`../../../servers/${name}/dist/NOTICES.txt`, import.meta.url)), "utf8");
  for (const one of [/^jose [\d.]+ \(MIT\)$/m, /^zod [\d.]+ \(MIT\)$/m, /^Copyright \(c\) \d+ Filip Skokan$/m])
    expect(notices).toMatch(one);
});
