// Every choice of parts gives a server that passes its type check and tests, on the build of the kit. Each run tests each part alone in the newest
// revision of each era; OARLOCK_LONG=1 adds the other revisions, and all parts together, which `npm test` of small-server.deep.test.ts runs as well.
import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { CHOICES, cut, TEMPLATE, TEXTS } from "./support/choices.ts";
import { ran } from "./support/npm.ts";
import { home, requireBuilds, root } from "./support/repository.ts";

const isLong = process.env["OARLOCK_LONG"] === "1";

test("passes the type check for every choice without unused imports, and the tests of each part alone and together", async () => {
  requireBuilds("packages/server-kit", "packages/cli", "packages/testing");
  await using folder = tempFolder();
  symlinkSync(join(home, "node_modules"), folder.at("node_modules"));
  const options = {
    types: ["node"],
    typeRoots: [join(root, "node_modules/@types")],
    noUnusedLocals: true,
  };
  const strict = { allowImportingTsExtensions: true, noEmit: true, rootDir: "/" };
  for (const parts of CHOICES) {
    const at = folder.at(parts.join("-"));
    cpSync(TEMPLATE, at, { recursive: true, filter: (path) => !path.endsWith("dist") });
    for (const path of TEXTS) writeFileSync(join(at, path), cut(path, parts));
  }
  const base = readFileSync(join(TEMPLATE, "tsconfig.json"), "utf8");
  const { compilerOptions } = JSON.parse(base) as { compilerOptions: object };
  writeFileSync(
    folder.at("tsconfig.json"),
    JSON.stringify({ compilerOptions: { ...compilerOptions, ...options, ...strict }, include: ["*/src"] }),
  );
  const types = ran(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", "."], { cwd: folder.path });
  // Built packages are loaded by Node, as they are where npm has installed them. A start may take longer on a busy machine than the 5 s of vitest.
  writeFileSync(
    folder.at("vitest.config.ts"),
    "export default { test: { isolate: false, testTimeout: 300_000, server: { deps: { external: [/\\/packages\\/[^/]+\\/dist\\//] } } } };\n",
  );
  const vitest = join(home, "node_modules/vitest/vitest.mjs");
  const others = isLong ? "{tool-resource,tool-prompt,resource-prompt}/**" : "*-*/**";
  const words = ["run", "--root", folder.path, "--exclude", others, ...(isLong ? [] : ["--testNamePattern", "2026-07-28|2025-11-25"])];
  const tests = ran(process.execPath, [vitest, ...words], {
    cwd: folder.path,
    env: { NO_COLOR: "1" },
  });
  expect(await types).toEqual({ code: 0, stdout: "", stderr: "" });
  expect(await tests).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(isLong ? /Tests .*\b40 passed/ : /Tests .*\b8 passed/) as string,
  });
  expect(readdirSync(folder.path)).toHaveLength(CHOICES.length + 3);
});
