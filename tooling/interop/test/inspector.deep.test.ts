// The Inspector lists, reads and calls on the built server. The long tier adds requests that the official clients make in every run, and the check of the
// tools, which tooling/release/test/packed.deep.test.ts makes of each server in every run.
// https://modelcontextprotocol.io/docs/tools/inspector
import { spawnSync } from "node:child_process";
import { pathToFileURL } from "node:url";
import { IN_LONG_RUNS, isLong } from "@oarlock-tooling/test-support/long-tier";
import { tempFolder, type TempFolder } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { binary } from "./support/built-server.ts";
import { inspect, type Inspected } from "./support/inspector.ts";
import { startOverHttp } from "@oarlock-tooling/test-support/server-process";

const READY = /^oarlock-filesystem \S+ is ready on stdio\n$/;
const LISTENING = /^listening on http:\S+\n$/;

type Over = "stdio" | "streamable-http" | "sse";

/** The settings name the server, and the folder as a root. Without roots there, the Inspector declares the capability and sends an empty list. */
async function withRoots(over: Over, folder: TempFolder, method: string, ...args: string[]): Promise<Inspected> {
  await using home = tempFolder();
  await using started = new AsyncDisposableStack();
  const listening = over === "stdio" ? undefined : started.use(await startOverHttp(binary(folder.path, "--legacy-sse")));
  const way =
    listening === undefined
      ? binary(folder.path)
      : { type: over, url: (over === "sse" ? new URL("/sse", listening.url) : listening.url).href };
  const server = { ...way, roots: [{ uri: pathToFileURL(folder.path).href }] };
  home.write({ "mcp.json": JSON.stringify({ mcpServers: { files: server } }) });
  const found = ["--config", home.at("mcp.json"), "--server", "files"];
  const inspected = await inspect(home.path, [...found, "--method", method, "--format", "json", "--quiet", ...args]);
  if (listening !== undefined)
    expect(await listening.terminate()).toEqual({ code: 0, signal: null, stderr: expect.stringMatching(LISTENING) });
  return inspected;
}

/** Starts the server by its command line. */
async function byCommand(served: readonly string[], ...args: string[]): Promise<Inspected> {
  await using home = tempFolder();
  const { command, args: own } = binary(...served);
  return await inspect(home.path, [...args, "--format", "json", "--", command, ...own]);
}

test("TOOL-02 --strict reports no problem in the tools", IN_LONG_RUNS, async () => {
  await using folder = tempFolder();
  const { code, output, stderr } = await byCommand([folder.path], "--method", "tools/list", "--strict");
  expect({ code, output }).toEqual({ code: 0, output: { result: { tools: expect.any(Array) } } });
  expect(stderr).toMatch(/^oarlock-filesystem \S+ is ready on stdio$/m);
  expect(stderr).not.toMatch(/^error/im);
});

const ERAS = [
  ["legacy", "2025-11-25"],
  ["auto", "2026-07-28"],
] as const;

// The next test connects in the same eras.
test.each(ERAS)("LIFE-05 DISC-01 connects, era %s", IN_LONG_RUNS, async (era, protocolVersion) => {
  await using folder = tempFolder();
  const { code, output, stderr } = await byCommand([folder.path], "--method", "initialize", "--protocol-era", era);
  expect({ code, output }).toMatchObject({ code: 0, output: { result: { protocolVersion, serverInfo: { name: "oarlock-filesystem" } } } });
  expect(stderr).toMatch(READY);
});

test.each(ERAS)("LIFE-05 DISC-01 DISC-19 connects over HTTP, era %s, and calls a tool", async (era, protocolVersion) => {
  await using folder = tempFolder({ "a.txt": "a" });
  await using home = tempFolder();
  await using server = await startOverHttp(binary(folder.path, "--roots", "ignore"));
  const inspected = (...args: string[]) =>
    inspect(home.path, [
      ...args,
      "--protocol-era",
      era,
      "--transport",
      "http",
      "--server-url",
      server.url.href,
      "--format",
      "json",
      "--quiet",
    ]);
  const { code, output } = await inspected("--method", "initialize");
  expect({ code, output }).toMatchObject({ code: 0, output: { result: { protocolVersion, serverInfo: { name: "oarlock-filesystem" } } } });
  const called = await inspected("--method", "tools/call", "--tool-name", "read_text_file", "--tool-arg", "path=a.txt");
  expect(called).toMatchObject({ code: 0, output: { result: { content: [{ type: "text", text: "a" }, {}] } } });
  expect(await server.terminate()).toEqual({ code: 0, signal: null, stderr: expect.stringMatching(LISTENING) });
});

/** HTTP carries the same messages, so two requests suffice there. */
describe.concurrent.each([
  ["stdio", {}],
  ["streamable-http", IN_LONG_RUNS],
] as const)("with the folder as its root, over %s", (over, options) => {
  test("TOOL-15 calls a tool", options, async () => {
    await using folder = tempFolder({ "a.txt": "one\ntwo\n" });
    const { code, output } = await withRoots(
      over,
      folder,
      "tools/call",
      "--tool-name",
      "read_text_file",
      "--tool-args-json",
      '{"path":"a.txt","tail":1}',
    );
    expect({ code, output }).toMatchObject({
      code: 0,
      output: { result: { content: [{ type: "text", text: expect.stringMatching(/^two/) }, {}], structuredContent: { totalLines: 2 } } },
    });
  });

  test("RES-03 reads a file", IN_LONG_RUNS, async () => {
    await using folder = tempFolder({ "a.txt": "hello" });
    const uri = pathToFileURL(folder.at("a.txt")).href;
    const { code, output } = await withRoots(over, folder, "resources/read", "--uri", uri);
    expect({ code, output }).toEqual({ code: 0, output: { result: { contents: [{ uri, mimeType: "text/plain", text: "hello" }] } } });
  });
});

describe.concurrent("with the folder as its root, over stdio", () => {
  test("TOOL-10 a failing call exits with 5 and prints the error of the tool", async () => {
    await using folder = tempFolder();
    const { code, output } = await withRoots(
      "stdio",
      folder,
      "tools/call",
      "--tool-name",
      "read_text_file",
      "--tool-arg",
      "path=nowhere.txt",
    );
    expect({ code, output }).toEqual({
      code: 5,
      output: { result: { content: [{ type: "text", text: "No such file or directory: nowhere.txt" }], isError: true } },
    });
  });

  test("RES-02 lists the directory", IN_LONG_RUNS, async () => {
    await using folder = tempFolder();
    const { code, output } = await withRoots("stdio", folder, "resources/list");
    expect({ code, output }).toMatchObject({ code: 0, output: { result: { resources: [{ uri: pathToFileURL(folder.path).href }] } } });
  });

  test("RES-06 exits with 1 for a missing resource", IN_LONG_RUNS, async () => {
    await using folder = tempFolder();
    const { code, output, stderr } = await withRoots("stdio", folder, "resources/read", "--uri", pathToFileURL(folder.at("nowhere")).href);
    expect({ code, output }).toEqual({ code: 1, output: undefined });
    expect(stderr).toContain("Resource not found");
  });

  test("RES-14 lists the template", IN_LONG_RUNS, async () => {
    await using folder = tempFolder();
    const { code, output } = await withRoots("stdio", folder, "resources/templates/list");
    expect({ code, output }).toMatchObject({ code: 0, output: { result: { resourceTemplates: [{ uriTemplate: "file:///{+path}" }] } } });
  });

  test("PROMPT-02 lists the prompts", IN_LONG_RUNS, async () => {
    await using folder = tempFolder();
    const { code, output } = await withRoots("stdio", folder, "prompts/list");
    expect({ code, output }).toMatchObject({
      code: 0,
      output: { result: { prompts: [{ name: "explore_directory" }, { name: "find_and_replace" }] } },
    });
  });

  test("PROMPT-03 gets a prompt", IN_LONG_RUNS, async () => {
    await using folder = tempFolder({ "main.ts": "" });
    const { code, output } = await withRoots(
      "stdio",
      folder,
      "prompts/get",
      "--prompt-name",
      "explore_directory",
      "--prompt-args",
      `path=${folder.path}`,
    );
    expect({ code, output }).toMatchObject({
      code: 0,
      output: {
        result: {
          messages: [
            { role: "user", content: { type: "text" } },
            { role: "user", content: { type: "resource", resource: { text: expect.stringContaining("main.ts") } } },
          ],
        },
      },
    });
  });

  test("LOG-02 sets the log level", IN_LONG_RUNS, async () => {
    await using folder = tempFolder();
    const { code, output } = await withRoots("stdio", folder, "logging/setLevel", "--log-level", "warning");
    expect({ code, output }).toEqual({ code: 0, output: { result: {} } });
  });
});

test("TOOL-15 calls a tool over HTTP+SSE of 2024-11-05", IN_LONG_RUNS, async () => {
  await using folder = tempFolder({ "a.txt": "a" });
  const { code, output } = await withRoots("sse", folder, "tools/call", "--tool-name", "read_text_file", "--tool-arg", "path=a.txt");
  expect({ code, output }).toMatchObject({ code: 0, output: { result: { content: [{ type: "text", text: "a" }, {}] } } });
});

describe("sends an empty list without roots in its settings", () => {
  const CALL = ["--method", "tools/call", "--tool-name", "read_text_file", "--tool-arg", "path=a.txt"];

  test.each(isLong ? [[[]], [["--roots", "ignore"]]] : [[[]]])("serves paths with %j", async (roots) => {
    await using folder = tempFolder({ "a.txt": "a" });
    const { code, output } = await byCommand([folder.path, ...roots], ...CALL);
    expect({ code, output }).toMatchObject({ code: 0, output: { result: { content: [{ type: "text", text: "a" }, {}] } } });
  });
});

test("ends the Inspector with 99 when it uses the network", () => {
  const guard = new URL("./support/no-network.ts", import.meta.url).href;
  const reach = 'await fetch("http://192.0.2.1:1234/").catch(() => undefined)';
  const { status, stderr } = spawnSync(process.execPath, [`--import=${guard}`, "--input-type=module", "--eval", reach], {
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([99, expect.stringContaining("out of bounds")]);
});
