/** Licence notices of bundled packages. */
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

test("lists each foreign package once with its full licence text", () => {
  const b = installed("b", { LICENSE: "of b\n", "NOTICE.md": "and more" });
  const a = installed("@some/a", { "licence.txt": "of a" });
  const line = "-".repeat(80);
  expect(noticesOf([join(folder, "src", "own.js"), b, b, a])).toBe(
    `@some/a 1.2.3 (MIT)\n\nof a\n\n${line}\n\nb 1.2.3 (MIT)\n\nof b\n\nand more\n`,
  );
  expect(noticesOf([join(folder, "src", "own.js")])).toBe("");
});

test("refuses a package without a licence", () => {
  expect(() => noticesOf([installed("c", {})])).toThrow("No licence found for the bundled package c");
});

test("takes the licence section of the README of a package without a licence file", () => {
  const readme = "# e\n\nText.\n\n## license\n\nThe MIT License\n\nCopyright (c) 2014 A. Person\n";
  expect(noticesOf([installed("e", { "README.md": readme })])).toBe("e 1.2.3 (MIT)\n\nThe MIT License\n\nCopyright (c) 2014 A. Person\n");
});

test.each(["filesystem", "git", "sqlite", "memory"])("the %s server includes the notices of jose and zod", (name) => {
  const notices = readFileSync(fileURLToPath(new URL(`../../../servers/${name}/dist/NOTICES.txt`, import.meta.url)), "utf8");
  for (const one of [/^jose [\d.]+ \(MIT\)$/m, /^zod [\d.]+ \(MIT\)$/m, /^Copyright \(c\) \d+ Filip Skokan$/m])
    expect(notices).toMatch(one);
});
