// search_file_contents among enemies: denied and outside files are never revealed, whatever files and patterns are called.
import { mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { needs } from "@oarlock/testing";
import { expect, onTestFinished, test } from "vitest";
import { findRipgrep } from "../../../../src/disk/search/ripgrep/ripgrep-process.ts";
import { ripgrepEngine } from "../../../../src/disk/search/ripgrep/ripgrep-engine.ts";
import { plainEngine } from "../../../../src/disk/search/plain/plain-engine.ts";
import type { SearchEngine } from "../../../../src/disk/search/contents/engine.ts";
import type { OutputMode } from "../../../../src/disk/search/contents/options.ts";
import { searchContents } from "../../../../src/disk/search/contents/content-search.ts";
import { contentsText } from "../../../../src/disk/search/contents/result-text.ts";
import type { Sandbox } from "../../../../src/disk/access/sandbox.ts";
import { refuses, world } from "../../support/world.ts";

const binary = findRipgrep() ?? "the binary is not installed";
const ENGINES: readonly SearchEngine[] = [ripgrepEngine(binary), plainEngine, ripgrepEngine(binary, { filesByStdin: true })];
const MODES: readonly OutputMode[] = ["content", "files", "count"];

/** In each mode, as one text. */
async function all(sandbox: Sandbox, path: string): Promise<string> {
  const asked = { pattern: ".", includeHidden: true, respectGitignore: false };
  return JSON.stringify(await Promise.all(MODES.map((outputMode) => searchContents(sandbox, path, { ...asked, outputMode }))));
}

test("PATH-07 follows and reads no links, in the tree and above it", async () => {
  const here = world();
  mkdirSync(join(here.root, "d"));
  writeFileSync(join(here.root, "d/ok"), "ok\n");
  symlinkSync(here.out, join(here.root, "d/out"));
  symlinkSync(join(here.out, "secret.txt"), join(here.root, "d/secret"));
  writeFileSync(join(here.out, "rules"), "ok\n");
  symlinkSync(join(here.out, "rules"), join(here.root, ".gitignore"));
  const sandbox = await here.open();
  for (const engine of ENGINES) {
    const { matches } = await searchContents(sandbox, join(here.root, "d"), { pattern: ".", includeHidden: true }, engine);
    expect(matches.map(({ path }) => path)).toEqual([join(here.root, "d/ok")]);
  }
  await refuses(
    "denied",
    () => all(sandbox, "d/out"),
    () => all(sandbox, "d/secret"),
    () => all(sandbox, here.out),
  );
  writeFileSync(join(here.out, "rules"), "");
  for (const name of readdirSync(here.out)) if (name === "rules") renameSync(join(here.out, name), join(here.base, name));
});

test("G9 hides files by --deny, both found and named ones", async () => {
  const here = world();
  for (const folder of ["", "private", "private/deep"]) {
    mkdirSync(join(here.root, folder), { recursive: true });
    for (const name of [".env", "a.pem", "plain"]) writeFileSync(join(here.root, folder, name), `${folder}/${name} text\n`);
  }
  const sandbox = await here.open({ deny: [".env*", "*.pem", "private"] });
  const found = await all(sandbox, here.root);
  expect(found).toContain("plain text");
  expect(found).not.toMatch(/\.env|\.pem|private/);
  expect(JSON.parse(found)).toEqual([1, 1, 1].map(() => expect.objectContaining({ filesSearched: 1, filesMatched: 1 })));
  await refuses(
    "denied",
    () => all(sandbox, ".env"),
    () => all(sandbox, "a.pem"),
    () => all(sandbox, "private"),
    () => all(sandbox, "private/plain"),
  );
});

test("searches only inside narrowed roots", async () => {
  const here = world();
  for (const folder of ["a", "b"]) {
    mkdirSync(join(here.root, folder));
    writeFileSync(join(here.root, folder, "f"), `${folder}\n`);
  }
  const sandbox = (await here.open()).narrowed([join(here.root, "a")]);
  expect(JSON.parse(await all(sandbox, "."))).toEqual([1, 1, 1].map(() => expect.objectContaining({ filesMatched: 1 })));
  await refuses(
    "denied",
    () => all(sandbox, here.root),
    () => all(sandbox, join(here.root, "b")),
  );
});

test("reads names and patterns that look like switches as names and patterns", async () => {
  const here = world();
  const names = ["--pre=touch x", "-f", "--follow", "--", "--ignore-file=x", "a\n/etc/passwd:1: b", "\u202eb", "{a,b}", "*"];
  for (const name of names) writeFileSync(join(here.root, name === "/" ? "x" : name.replaceAll("/", "_")), "--pre=cat -f x\n");
  const sandbox = await here.open();
  for (const pattern of ["--pre=cat", "-f", "--files", "-", "--"]) {
    for (const engine of pattern === "--pre=cat" ? ENGINES : ENGINES.slice(0, 1)) {
      const result = await searchContents(sandbox, here.root, { pattern }, engine);
      expect(result.matches).toHaveLength(pattern === "--files" ? 0 : names.length);
      expect(contentsText(result).split("\n")).toHaveLength(result.matches.length + 1 - Number(result.matches.length === 1));
    }
  }
  for (const glob of ["--pre=x", "-f", "!--", "#x", "\\", "{a,b}", "../**", "/../**"]) {
    await searchContents(sandbox, here.root, { pattern: "x", include: [glob], exclude: [glob] });
  }
  await refuses(
    "invalid",
    () => searchContents(sandbox, here.root, { pattern: "" }),
    () => searchContents(sandbox, here.root, { pattern: "a\nb" }),
    () => searchContents(sandbox, here.root, { pattern: "a\0b", literal: true }),
    () => searchContents(sandbox, here.root, { pattern: "\ud800" }),
    () => searchContents(sandbox, here.root, { pattern: "x".repeat(5000) }),
    () => searchContents(sandbox, here.root, { pattern: "x", include: ["a\0"] }),
    () => searchContents(sandbox, here.root, { pattern: "x", include: [""] }),
    () => searchContents(sandbox, here.root, { pattern: "x", contextLines: 21 }),
  );
});

test("ignores configuration files and the environment, and runs no preprocessor", needs("shell scripts"), async () => {
  const here = world();
  const config = join(here.base, "config");
  writeFileSync(config, `--pre=${join(here.base, "pre")}\n--files-without-match\n--follow\n`);
  writeFileSync(join(here.base, "pre"), `#!/bin/sh\ntouch ${join(here.base, "ran")}\ncat "$1"\n`, { mode: 0o755 });
  writeFileSync(join(here.root, "f"), "needle\n");
  symlinkSync(here.out, join(here.root, "out"));
  const before = process.env["RIPGREP_CONFIG_PATH"];
  process.env["RIPGREP_CONFIG_PATH"] = config;
  onTestFinished(() => {
    if (before === undefined) delete process.env["RIPGREP_CONFIG_PATH"];
    else process.env["RIPGREP_CONFIG_PATH"] = before;
  });
  const sandbox = await here.open();
  for (const engine of ENGINES) {
    expect((await searchContents(sandbox, here.root, { pattern: "." }, engine)).matches.map(({ text }) => text)).toEqual(["needle"]);
  }
  expect(readdirSync(here.base)).not.toContain("ran");
});

test("drops names from ripgrep that the path resolver does not open as a file", async () => {
  const here = world();
  mkdirSync(join(here.root, "d"));
  for (const name of ["d/ok", "d/.env", "hay"]) writeFileSync(join(here.root, name), name === "hay" ? "hay\n" : "canary\n");
  symlinkSync(here.out, join(here.root, "out"));
  symlinkSync("d/ok", join(here.root, "link"));
  const sandbox = await here.open({ deny: [".env"] });
  const names = ["out/secret.txt", "link", "hay", "d/ok", "d/.env", "d", "gone", "../OUT/secret.txt", "d/../../OUT/secret.txt", here.out];
  // Its replies while another process exchanges directories under it.
  const misled = (engine: SearchEngine): SearchEngine => ({
    ...engine,
    searchDirectory: async ({ onFile }) => {
      for (const name of names) onFile(name, true);
      return { incomplete: false };
    },
  });
  for (const engine of ENGINES.map(misled)) {
    for (const outputMode of MODES) {
      const result = await searchContents(sandbox, here.root, { pattern: "canary", includeHidden: true, outputMode }, engine);
      expect([...result.matches, ...result.files].map(({ path }) => path)).toEqual([join(here.root, "d/ok")]);
      expect(result.filesMatched).toBe(1);
      expect(result.filesSearched).toBe(2); // hay too went through the door
    }
  }
});
