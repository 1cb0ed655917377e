/** The layers of the repository and the allowed directions of imports. */
import { describe, expect, test } from "vitest";
import { fullFolders, readPrograms } from "../src/house.ts";
import {
  addonImports,
  clientImports,
  datesInRevisions,
  domainImports,
  fileLength,
  kitFolderImports,
  noUtilityFiles,
  optionsInCore,
  packageImports,
  platformImports,
  revisionsThroughIndex,
  productImports,
  serverImports,
  toolingImports,
} from "../src/layers.ts";
import { importsOf, literalsOf, readSources, type Sources } from "../src/sources.ts";

const kit = readSources("packages/server-kit/src/**/*.ts");
const client = readSources("packages/client/src/**/*.ts");
const packages = readSources("packages/*/src/**/*.ts");
const servers = readSources("servers/*/src/**/*.ts");
const programs = readPrograms();
const all = readSources("{packages,servers,tooling,examples}/*/src/**/*.ts");

test("reads sources", () => {
  for (const sources of [kit, client, servers]) expect(Object.keys(sources).length).toBeGreaterThan(0);
});

/** For each rule, as the failures name the offending files. */
const REMEDY =
  "these files break the rule: move or split the code, or change the rule in tooling/checks/src/layers.ts and say why in the commit";

describe("server kit", () => {
  test("imports only lower folders", () => expect(kitFolderImports(kit), REMEDY).toEqual([]));
  test("imports revisions through their index only", () => expect(revisionsThroughIndex(kit), REMEDY).toEqual([]));
  test("names dates in revisions only", () => expect(datesInRevisions(kit), REMEDY).toEqual([]));
  test("names no option in a file of the core", () => expect(optionsInCore(kit), REMEDY).toEqual([]));
  test("imports modules of Node in platform files only", () => expect(platformImports(kit), REMEDY).toEqual([]));
});

describe("everything else", () => {
  test("imports only the protocol of the kit in the client", () => expect(clientImports(client), REMEDY).toEqual([]));
  test("imports only lower packages in packages", () => expect(packageImports(packages), REMEDY).toEqual([]));
  test("imports only the kit, cli and domain-kit in servers", () => expect(serverImports(servers), REMEDY).toEqual([]));
  test("imports add-ons of a server lazily, in one file", () => expect(addonImports(servers), REMEDY).toEqual([]));
  test("imports no protocol in the domain of a server", () => expect(domainImports(servers), REMEDY).toEqual([]));
  test("imports no tooling in product code", () => expect(productImports(programs), REMEDY).toEqual([]));
  test("imports only lower tooling in tooling", () => expect(toolingImports(programs), REMEDY).toEqual([]));
  test("has at most 18 files in a folder", () => expect(fullFolders({ ...packages, ...servers }), REMEDY).toEqual([]));
  test("has at most 250 lines in a file", () => expect(fileLength(all), REMEDY).toEqual([]));
  test("has no file or folder of utils or helpers", () => expect(noUtilityFiles(all), REMEDY).toEqual([]));
});

describe("the rules", () => {
  const rule = {
    addonImports,
    clientImports,
    datesInRevisions,
    domainImports,
    fileLength,
    kitFolderImports,
    noUtilityFiles,
    optionsInCore,
    packageImports,
    platformImports,
    productImports,
    revisionsThroughIndex,
    serverImports,
    toolingImports,
  };
  const src = "packages/server-kit/src";
  const violations: [name: keyof typeof rule, line: string, good: Sources, bad: Sources][] = [
    [
      "kitFolderImports",
      `${src}/features/a.ts → ${src}/peer/b.ts`,
      { [`${src}/runtime/a.ts`]: 'import { b } from "../revisions/index.ts"; import { c } from "./c.ts"; import d from "../wire/d.ts";' },
      { [`${src}/features/a.ts`]: 'import type { B } from "../peer/b.ts";' },
    ],
    [
      "kitFolderImports",
      `${src}/transports/a.ts → ${src}/index.ts`,
      { [`${src}/index.ts`]: 'export * from "./transports/stdio.ts";' },
      { [`${src}/transports/a.ts`]: 'export * from "../index.ts";' },
    ],
    [
      "kitFolderImports",
      `${src}/runtime/a.ts → @oarlock/extensions/tasks`,
      { [`${src}/transports/a.ts`]: 'import "../runtime/b.ts";' },
      { [`${src}/runtime/a.ts`]: 'import type { B } from "@oarlock/extensions/tasks";' },
    ],
    ["kitFolderImports", `${src}/transports/a.ts → @oarlock/oauth`, {}, { [`${src}/transports/a.ts`]: 'import "@oarlock/oauth";' }],
    [
      "packageImports",
      "packages/oauth/src/a.ts → @oarlock/cli",
      { "packages/cli/src/a.ts": 'import "@oarlock/server-kit/node"; import("@oarlock/oauth"); import "./b.ts";' },
      { "packages/oauth/src/a.ts": 'import "@oarlock/cli";' },
    ],
    ["kitFolderImports", `${src}/attic/a.ts → ${src}/wire/b.ts`, {}, { [`${src}/attic/a.ts`]: 'import "../wire/b.ts";' }],
    [
      "revisionsThroughIndex",
      `${src}/peer/a.ts → ${src}/revisions/step.ts`,
      { [`${src}/peer/a.ts`]: 'import { newest } from "../revisions/index.ts";', [`${src}/revisions/index.ts`]: 'import "./step.ts";' },
      { [`${src}/peer/a.ts`]: 'const late = import("../revisions/step.ts");' },
    ],
    [
      "optionsInCore",
      `${src}/runtime/a.ts: Backplane`,
      { [`${src}/transports/http/a.ts`]: "// the cluster", [`${src}/runtime/a.ts`]: "// several processes" },
      { [`${src}/runtime/a.ts`]: 'import type { Backplane } from "./b.ts";' },
    ],
    [
      "optionsInCore",
      `${src}/transports/http/a.ts: Task`,
      {
        [`${src}/revisions/a.ts`]: "facts: { coreTasks: true }",
        [`${src}/wire/a.ts`]: "queueMicrotask(close); // the application appears",
      },
      { [`${src}/transports/http/a.ts`]: "export const checkTask = 1;" },
    ],
    [
      "datesInRevisions",
      `${src}/peer/a.ts: before 2025-06-18`,
      { [`${src}/peer/a.ts`]: "// as in 2025-06-18", [`${src}/revisions/a.ts`]: 'export const id = "2025-06-18";' },
      { [`${src}/peer/a.ts`]: "export const old = `before 2025-06-18`;" },
    ],
    [
      "platformImports",
      `${src}/wire/a.ts → stream`,
      { [`${src}/transports/stdio.ts`]: 'import "node:process";' },
      { [`${src}/wire/a.ts`]: 'import type { Readable } from "stream";' },
    ],
    [
      "clientImports",
      "packages/client/src/a.ts → @oarlock/server-kit",
      {
        "packages/client/src/a.ts":
          'import { x } from "@oarlock/server-kit/protocol"; import type { Pair } from "@oarlock/server-kit"; import "./b.ts";',
      },
      { "packages/client/src/a.ts": 'import { type Pair, pair } from "@oarlock/server-kit";' },
    ],
    [
      "serverImports",
      "servers/git/src/a.ts → @oarlock/filesystem",
      { "servers/git/src/a.ts": 'import "@oarlock/server-kit/node"; import "@oarlock/cli"; import "../package.json"; import "zod";' },
      { "servers/git/src/a.ts": 'import "@oarlock/filesystem";' },
    ],
    ["serverImports", "servers/git/src/a.ts → servers/sqlite/src/b.ts", {}, { "servers/git/src/a.ts": 'import "../../sqlite/src/b.ts";' }],
    [
      "productImports",
      "servers/git/views/a.ts → @oarlock-tooling/apps",
      { "servers/git/test/a.ts": 'import "@oarlock-tooling/apps";', "examples/a/src/a.ts": 'import "@oarlock-tooling/nodes";' },
      { "servers/git/views/a.ts": 'import "@oarlock-tooling/apps";' },
    ],
    [
      "toolingImports",
      "tooling/bench/src/a.ts → @oarlock-tooling/nodes/random",
      { "tooling/nodes/src/a.ts": 'import "@oarlock-tooling/bench/figures"; import "./b.ts"; import "../../build/c.ts";' },
      { "tooling/bench/src/a.ts": 'import "@oarlock-tooling/nodes/random";' },
    ],
    [
      "addonImports",
      "servers/memory/src/bin.ts → servers/memory/src/addons/notes/a.ts",
      {
        "servers/memory/src/addons.ts": 'const notes = () => import("./addons/notes/a.ts");',
        "servers/memory/src/addons/notes/a.ts": 'import "@oarlock/domain-kit"; import "../../graph/graph.ts"; import "./b.ts";',
      },
      { "servers/memory/src/bin.ts": 'const notes = import("./addons/notes/a.ts");' },
    ],
    [
      "addonImports",
      "servers/memory/src/addons.ts → servers/memory/src/addons/notes/a.ts",
      {},
      { "servers/memory/src/addons.ts": 'import type { A } from "./addons/notes/a.ts";' },
    ],
    [
      "addonImports",
      "servers/memory/src/addons/postgres/a.ts → servers/memory/src/addons/notes/a.ts",
      {},
      { "servers/memory/src/addons/postgres/a.ts": 'import("../notes/a.ts");' },
    ],
    [
      "domainImports",
      "servers/git/src/repo/a.ts → servers/git/src/tools/b.ts",
      {
        "servers/git/src/repo/a.ts": 'import "node:fs"; import "./parse/b.ts";',
        "servers/git/src/tools/a.ts": 'import "@oarlock/server-kit";',
      },
      { "servers/git/src/repo/a.ts": 'import "../tools/b.ts";' },
    ],
    [
      "fileLength",
      "packages/client/src/a.ts: 251 lines",
      { "packages/client/src/a.ts": "x\n".repeat(250) },
      { "packages/client/src/a.ts": "x\n".repeat(251) },
    ],
    ["noUtilityFiles", "packages/client/src/utils.ts", { "packages/client/src/utilise.ts": "" }, { "packages/client/src/utils.ts": "" }],
  ];

  test.each(violations)("%s reports %s", (name, line, good, bad) => {
    expect(rule[name](good)).toEqual([]);
    expect(rule[name](bad)).toEqual([line]);
  });

  test("ignores imports in comments and strings", () => {
    expect(importsOf("a.ts", '// import "b"\nexport const c = \'import "d"\';')).toEqual([]);
  });

  test("reads literals from strings and templates, not from comments", () => {
    expect(literalsOf("// one\nconst two = 'three' + `four${5}`;")).toEqual(["three", "four", ""]);
  });
});
