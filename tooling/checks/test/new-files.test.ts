/** Product code creates and replaces files with the helpers of domain-kit only (L5). */
import { expect, test } from "vitest";
import { otherWaysToCreate, staleReasons } from "./support/new-files.ts";
import { readSources } from "../src/sources.ts";

/** The package of test helpers is not a product. */
const sources = Object.fromEntries(
  Object.entries(readSources("{packages,servers}/*/src/**/*.ts")).filter(([path]) => !path.startsWith("packages/testing/")),
);

test("creates and replaces files with the helpers", () => expect(otherWaysToCreate(sources)).toEqual([]));
test("gives reasons for present files only", () => expect(staleReasons(sources)).toEqual([]));

const FILE = "servers/git/src/a.ts";

test.each([
  ['import { writeFile } from "node:fs/promises"; await writeFile(`${path}.${process.pid}.tmp`, text);', "writeFile"],
  ['import { writeFile as put } from "node:fs/promises"; put(path, text);', "writeFile"],
  ['import fs from "fs"; fs.writeFileSync(path, text);', "writeFileSync"],
  ['import * as fs from "node:fs"; fs.promises.rename(one, other);', "rename"],
  ['import { promises } from "node:fs"; promises.copyFile(one, other);', "copyFile"],
  ['import { promisify } from "node:util"; import { rename } from "node:fs"; const move = promisify(rename);', "rename"],
  ['import { openSync } from "node:fs"; openSync(path, "w");', "openSync"],
  ['import { openSync } from "node:fs"; openSync(path, "a", 0o600);', "openSync"],
  ['import { openSync, constants } from "node:fs"; openSync(path, constants.O_RDONLY | constants.O_CREAT);', "openSync"],
  ['import { openSync } from "node:fs"; openSync(path, flags);', "openSync"],
])("reports %s", (source, name) => {
  expect(otherWaysToCreate({ [FILE]: source })).toEqual([expect.stringMatching(`^${FILE}: ${name}\\(`)]);
});

test.each([
  'import { openSync } from "node:fs"; openSync(path); openSync(path, "r");',
  'import { constants, openSync } from "node:fs"; openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));',
  "await file.writeFile(text); handle.open(path, 'w'); rename(one, other);",
  'import { rename } from "./transfer/rename.ts"; rename(one, other);',
])("allows %s", (source) => {
  expect(otherWaysToCreate({ [FILE]: source })).toEqual([]);
});
