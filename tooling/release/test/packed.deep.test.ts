/**
 * Packed tarballs, installed into an empty folder as a new user would, and their commands. Each run installs filesystem, which has a program of its
 * own for each kind of machine, and tries the others as they are built. The long tier installs all four, and adds the second era in the checks of the
 * Inspector.
 */
import { execFile } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { fileURLToPath } from "node:url";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { inspect } from "@oarlock-tooling/interop/inspector";
import { builtFile } from "@oarlock-tooling/test-support/built-file";
import { IN_LONG_RUNS, isLong } from "@oarlock-tooling/test-support/long-tier";
import { connect } from "@oarlock/client";
import { isObject } from "@oarlock/server-kit/protocol";
import { tempFolder, type TempFolder } from "@oarlock/testing";
import { publint } from "publint";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectWithinBudgets } from "../../budgets/test/support/budget.ts";
import { commandOf, packageOf, SERVERS, type About } from "../src/about.ts";
import { licencesIn } from "../src/licence-table.ts";
import { forOtherMachines, makeBundle, mcpb } from "../src/make-bundle.ts";
import { install } from "../src/pack.ts";
import { packedOnce } from "../src/packed-once.ts";
import { sbomOf } from "../src/sbom.ts";
import { TRIALS } from "../src/trial.ts";
import { folderOf, manifestOf, publishedFolders, root } from "../src/repository.ts";
import { filesOf, weigh } from "./support/package-contents.ts";

/** The oldest Node that servers promise to run on, brought by npm. */
const OLDEST_NODE = fileURLToPath(new URL("../node_modules/node-oldest/bin/node", import.meta.url));

const run = promisify(execFile);
/** Dependencies with a binary: they are installed beside the command, each with its own licence. */
const NATIVE = ["better-sqlite3", "sqlite-vec", "@vscode/ripgrep"];
const FOLDERS = publishedFolders();
let tarballs: ReadonlyMap<string, string>;

beforeAll(async () => {
  tarballs = await packedOnce();
});

const textIn = (file: string, path: string): Promise<string> => run("tar", ["-xzOf", file, `package/${path}`]).then(({ stdout }) => stdout);

const tarball = (name: string): string => tarballs.get(name) ?? "";

describe.each(FOLDERS.map((folder) => manifestOf(join(root, folder)).name))("%s", (name) => {
  test("contains the listed files and no others", async () => {
    const files = (await filesOf(tarball(name))).filter((file) => !file.startsWith("package/dist/carried/"));
    expect(files).toEqual(expect.arrayContaining(["package/package.json", "package/README.md", "package/CHANGELOG.md", "package/LICENSE"]));
    expect(
      files.filter(
        (file) =>
          !/^package\/(dist\/(.*\.(js|d\.ts)|views\/\w+\.html|NOTICES\.txt)|src\/page\/.*\.css|skills\/.*\.md|\.claude-plugin\/plugin\.json|\.mcp\.json|hooks\/hooks\.json|package\.json|server\.json|[A-Z]+(\.md)?)$/.test(
            file,
          ),
      ),
    ).toEqual([]);
  });

  test("has the licence of this repository, and the notices of what is bundled into its command", async () => {
    expect(await textIn(tarball(name), "LICENSE")).toBe(readFileSync(join(root, "LICENSE"), "utf8"));
    const { bin, dependencies = {} } = JSON.parse(await textIn(tarball(name), "package.json")) as Packed; // packed by us
    const bundled =
      bin === undefined ? [] : Object.keys(dependencies).filter((one) => !one.startsWith("@oarlock/") && !NATIVE.includes(one));
    if (bundled.length === 0) return;
    const notices = await textIn(tarball(name), "dist/NOTICES.txt");
    const titles = [...notices.matchAll(/^([@\w./-]+) \d+\.\d+\.\d+\S* \(.+\)$/gm)].map(([, title]) => title);
    expect(titles).toEqual(expect.arrayContaining(bundled));
  });

  test("passes publint", async () => {
    const data = readFileSync(tarball(name));
    const { messages } = await publint({
      pack: { tarball: data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength) },
      strict: true,
    });
    // What the scaffold carries are whole projects, with manifests of their own.
    expect(messages.filter(({ code }) => code !== "NESTED_PACKAGE_JSON_FIELD_IGNORED")).toEqual([]);
  });

  test("resolves types wherever Node's modules are imported", async () => {
    const checked = await checkPackage(createPackageFromTarballData(new Uint8Array(readFileSync(tarball(name)))));
    // No CommonJS: require() of ES modules is what old Node lacks, and no types are asked for by the oldest resolution.
    const problems = checked.types === false ? [] : checked.problems;
    expect(problems.filter(({ kind }) => kind !== "CJSResolvesToESM" && kind !== "NoResolution")).toEqual([]);
  });
});

test("keeps the tarballs within their budgets", () => {
  expectWithinBudgets([...tarballs].map(([name, file]) => ({ what: `tarball of ${name}`, measured: statSync(file).size, unit: "bytes" })));
});

describe.each(SERVERS)("$name", (about) => {
  const isInstalled = isLong || about.name === "filesystem";
  const ofInstalled = isInstalled ? {} : IN_LONG_RUNS;
  const trial = TRIALS[about.name];
  let home: TempFolder;
  let served: TempFolder;
  let bin: string;

  beforeAll(async () => {
    [home, served] = [tempFolder(), tempFolder()];
    if (isInstalled) await install(packageOf(about), tarballs, home.path);
    bin = isInstalled ? join(home.path, "node_modules/.bin", commandOf(about)) : builtFile(`servers/${about.name}/dist/bin.js`);
  });

  afterAll(async () => {
    await home[Symbol.asyncDispose]();
    await served[Symbol.asyncDispose]();
  });

  test("has a trial", () => {
    expect(Object.keys(TRIALS)).toContain(about.name);
  });

  test("stays within its budget of packages and bytes", ofInstalled, () => {
    const { packages, bytes } = weigh(home.path);
    const what = `installation of ${packageOf(about)}`;
    expectWithinBudgets([
      { what, measured: packages.length, unit: "packages" },
      { what, measured: bytes, unit: "bytes" },
    ]);
  });

  test.each(["2025-11-25", "2026-07-28"] as const)("answers in %s", ofInstalled, async (revision) => {
    await using client = await connect({ command: process.execPath, args: [bin, ...(trial?.args(served) ?? [])] }, { revision });
    const { content } = await client.call(trial?.call.name ?? "", trial?.call.args(served) ?? {});
    expect(JSON.stringify(content)).toContain(trial?.call.text);
  });

  test("runs all tools on the oldest supported Node", async () => {
    await using client = await connect({ command: OLDEST_NODE, args: [bin, ...(trial?.args(served) ?? [])] });
    const tools = await Array.fromAsync(client.tools());
    for (const { name, inputSchema } of tools) {
      const words = trial?.words(served, name) ?? {};
      const known = Object.keys(isObject(inputSchema.properties) ? inputSchema.properties : {});
      const args = Object.fromEntries(Object.entries(words).filter(([key]) => known.includes(key)));
      const { content } = await client.call(name, args);
      expect([name, JSON.stringify(content)]).not.toEqual([name, expect.stringMatching(/Internal error/)]);
    }
    const { stdout } = await run(OLDEST_NODE, ["--version"]);
    expect(manifestOf(folderOf(about)).engines.node).toMatch(new RegExp(`^\\^${stdout.trim().slice(1).replaceAll(".", "\\.")} `));
  });

  test.each(isLong ? ["legacy", "auto"] : [SERVERS.indexOf(about) % 2 === 0 ? "legacy" : "auto"])(
    "passes the checks of the Inspector, era %s",
    async (era) => {
      const command = ["--format", "json", "--protocol-era", era, "--", process.execPath, bin, ...(trial?.args(served) ?? [])];
      const found = await inspect(home.path, ["--method", "tools/list", "--strict", ...command]);
      expect(found).toMatchObject({ code: 0, output: { result: { tools: expect.any(Array) } } });
    },
  );

  test("makes a bundle that a host can unpack and start", ofInstalled, async () => {
    await using work = tempFolder();
    const { tools } = await listed(bin, trial?.args(served) ?? []);
    await mcpb("unpack", await makeBundle(about, home.path, work.path, tools), work.at("unpacked"));
    const { server, user_config } = JSON.parse(readFileSync(work.at("unpacked/manifest.json"), "utf8")) as Bundled; // ours
    const { args, env } = server.mcp_config;
    // As a host fills in an unchanged form.
    const filled = Object.entries(env).map(([name, value]) => [
      name,
      value.replace(/^\$\{user_config\.(\w+)\}$/, (_all, key: string) => String(user_config[key]?.default)),
    ]);
    const entry = args[0]?.replace("${__dirname}", work.at("unpacked")) ?? "";
    const command = { command: process.execPath, args: [entry, ...(trial?.args(served) ?? [])], env: Object.fromEntries(filled) };
    expect(Object.keys(command.env)).toContain("OARLOCK_READ_ONLY");
    await using client = await connect(command);
    const { content } = await client.call(trial?.call.name ?? "", trial?.call.args(served) ?? {});
    expect(JSON.stringify(content)).toContain(trial?.call.text);
  });

  test("names the systems that its bundle supports", ofInstalled, () => {
    const systems = forOtherMachines(home.path).map((spec) => /-(?:darwin|linux|win32|windows)-(?:arm64|x64)(?=@)/.exec(spec)?.[0]);
    const desktops = ["darwin", "linux", "win32"].flatMap((system) => [`-${system}-arm64`, `-${system}-x64`]);
    // sqlite-vec has no build for Windows on ARM; searches go by words there.
    const ofVectors = ["-darwin-arm64", "-darwin-x64", "-linux-arm64", "-linux-x64", "-windows-x64"];
    const expected: Readonly<Record<string, readonly string[]>> = { filesystem: desktops, memory: ofVectors };
    expect(new Set(systems)).toEqual(new Set(expected[about.name]));
  });

  test("has its dependencies in docs/licences.md", () => {
    const dependencies = Object.keys(manifestOf(folderOf(about)).dependencies ?? {}).filter((name) => !name.startsWith("@oarlock/"));
    expect([...listedLicences(about).keys()], "run pnpm release:licences").toEqual(expect.arrayContaining(dependencies));
  });

  test("has the components and licences of docs/licences.md", ofInstalled, async () => {
    const sbom = await sbomOf(about, home.path);
    expect(sbom).toMatchObject({ bomFormat: "CycloneDX", metadata: { component: { name: packageOf(about) } } });
    expect(listedLicences(about), "run pnpm release:licences").toEqual(new Map(licencesIn(sbom)));
  });

  test("prints an entry for a host that starts it", ofInstalled, async () => {
    const words = ["--print-config", "json", ...(trial?.args(served) ?? [])];
    const { stdout } = await run(process.execPath, [bin, ...words]);
    const [entry] = Object.values((JSON.parse(stdout) as { mcpServers: Record<string, { command: string; args: string[] }> }).mcpServers);
    if (entry === undefined) throw new Error(`no entry in ${stdout}`);
    await using client = await connect(entry);
    expect((await Array.fromAsync(client.tools())).length).toBeGreaterThan(0);
  });
});

interface Packed {
  bin?: object;
  dependencies?: Record<string, string>;
}

interface Bundled {
  server: { mcp_config: { args: string[]; env: Record<string, string> } };
  user_config: Record<string, { default?: unknown }>;
}

/** The licences of what a server installs, by the names of the packages. */
function listedLicences({ name }: About): ReadonlyMap<string | undefined, string | undefined> {
  const [head = [], , ...rows] = readFileSync(join(root, "docs/licences.md"), "utf8")
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) => line.split("|").map((cell) => cell.trim()));
  return new Map(rows.filter((row) => row[head.indexOf(name)] === "yes").map(([, one, licence]) => [one, licence]));
}

async function listed(bin: string, args: readonly string[]): Promise<{ tools: { name: string; description: string }[] }> {
  await using client = await connect({ command: process.execPath, args: [bin, ...args] });
  const tools = await Array.fromAsync(client.tools());
  return { tools: tools.map(({ name, description = "" }) => ({ name, description })) };
}
