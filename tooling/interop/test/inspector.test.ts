// The Inspector lists, reads and calls with the built server. https://modelcontextprotocol.io/docs/tools/inspector
import { spawnSync } from "node:child_process";
import { pathToFileURL } from "node:url";
import { tempFolder, type TempFolder } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { binary } from "../src/binary.ts";
import { inspect, type Inspected } from "../src/inspector.ts";

const READY = /^oarlock-filesystem \S+ is ready on stdio\n$/;

/** Its settings name the server, and the folder as a root: left out, it declares roots all the same, and tells none. */
async function withRoots(folder: TempFolder, method: string, ...args: string[]): Promise<Inspected> {
  await using home = tempFolder();
  const server = { ...binary(folder.path), roots: [{ uri: pathToFileURL(folder.path).href }] };
  home.write({ "mcp.json": JSON.stringify({ mcpServers: { files: server } }) });
  return await inspect(home.path, [
    "--config",
    home.at("mcp.json"),
    "--server",
    "files",
    "--method",
    method,
    "--format",
    "json",
    "--quiet",
    ...args,
  ]);
}

/** The server as a command line of its own. */
async function byCommand(served: readonly string[], ...args: string[]): Promise<Inspected> {
  await using home = tempFolder();
  const { command, args: own } = binary(...served);
  return await inspect(home.path, [...args, "--format", "json", "--", command, ...own]);
}

test("TOOL-02 --strict finds no fault in the tools that hosts would stumble over", async () => {
  await using folder = tempFolder();
  const { code, said, stderr } = await byCommand([folder.path], "--method", "tools/list", "--strict");
  expect({ code, said }).toEqual({ code: 0, said: { result: { tools: expect.any(Array) } } });
  expect(stderr).toMatch(/^oarlock-filesystem \S+ is ready on stdio$/m);
  expect(stderr).not.toMatch(/^error/im);
});

test.each(["legacy", "auto"])("LIFE-05 shakes hands, era %s", async (era) => {
  await using folder = tempFolder();
  const { code, said, stderr } = await byCommand([folder.path], "--method", "initialize", "--protocol-era", era);
  expect({ code, said }).toMatchObject({
    code: 0,
    said: { result: { protocolVersion: "2025-11-25", serverInfo: { name: "oarlock-filesystem" } } },
  });
  expect(stderr).toMatch(READY);
});

describe("with the folder as its root", () => {
  test("TOOL-15 calls a tool", async () => {
    await using folder = tempFolder({ "a.txt": "one\ntwo\n" });
    const { code, said } = await withRoots(
      folder,
      "tools/call",
      "--tool-name",
      "read_text_file",
      "--tool-args-json",
      '{"path":"a.txt","tail":1}',
    );
    expect({ code, said }).toMatchObject({
      code: 0,
      said: { result: { content: [{ type: "text", text: expect.stringMatching(/^two/) }], structuredContent: { totalLines: 2 } } },
    });
  });

  test("TOOL-10 a call that fails exits with 5, and shows what the tool said", async () => {
    await using folder = tempFolder();
    const { code, said } = await withRoots(folder, "tools/call", "--tool-name", "read_text_file", "--tool-arg", "path=nowhere.txt");
    expect({ code, said }).toEqual({
      code: 5,
      said: { result: { content: [{ type: "text", text: "No such file or directory: nowhere.txt" }], isError: true } },
    });
  });

  test("RES-02 lists the directory", async () => {
    await using folder = tempFolder();
    const { code, said } = await withRoots(folder, "resources/list");
    expect({ code, said }).toMatchObject({ code: 0, said: { result: { resources: [{ uri: pathToFileURL(folder.path).href }] } } });
  });

  test("RES-03 reads a file", async () => {
    await using folder = tempFolder({ "a.txt": "hello" });
    const uri = pathToFileURL(folder.at("a.txt")).href;
    const { code, said } = await withRoots(folder, "resources/read", "--uri", uri);
    expect({ code, said }).toEqual({ code: 0, said: { result: { contents: [{ uri, mimeType: "text/plain", text: "hello" }] } } });
  });

  test("RES-06 says so when there is nothing to read", async () => {
    await using folder = tempFolder();
    const { code, said, stderr } = await withRoots(folder, "resources/read", "--uri", pathToFileURL(folder.at("nowhere")).href);
    expect({ code, said }).toEqual({ code: 1, said: undefined });
    expect(stderr).toContain("Resource not found");
  });

  test("RES-14 lists the template", async () => {
    await using folder = tempFolder();
    const { code, said } = await withRoots(folder, "resources/templates/list");
    expect({ code, said }).toMatchObject({ code: 0, said: { result: { resourceTemplates: [{ uriTemplate: "file:///{+path}" }] } } });
  });

  test("PROMPT-02 lists the prompts", async () => {
    await using folder = tempFolder();
    const { code, said } = await withRoots(folder, "prompts/list");
    expect({ code, said }).toMatchObject({
      code: 0,
      said: { result: { prompts: [{ name: "explore_directory" }, { name: "find_and_replace" }] } },
    });
  });

  test("PROMPT-03 gets a prompt", async () => {
    await using folder = tempFolder({ "main.ts": "" });
    const { code, said } = await withRoots(
      folder,
      "prompts/get",
      "--prompt-name",
      "explore_directory",
      "--prompt-args",
      `path=${folder.path}`,
    );
    expect({ code, said }).toMatchObject({
      code: 0,
      said: {
        result: {
          messages: [
            { role: "user", content: { type: "text" } },
            { role: "user", content: { type: "resource", resource: { text: expect.stringContaining("main.ts") } } },
          ],
        },
      },
    });
  });

  test("LOG-02 sets the log level", async () => {
    await using folder = tempFolder();
    const { code, said } = await withRoots(folder, "logging/setLevel", "--log-level", "warning");
    expect({ code, said }).toEqual({ code: 0, said: { result: {} } });
  });
});

describe("without roots in its settings it tells an empty list", () => {
  const CALL = ["--method", "tools/call", "--tool-name", "read_text_file", "--tool-arg", "path=a.txt"];

  test("so every path is refused", async () => {
    await using folder = tempFolder({ "a.txt": "a" });
    const { code, said } = await byCommand([folder.path], ...CALL);
    expect({ code, said }).toMatchObject({
      code: 5,
      said: { result: { isError: true, content: [{ text: expect.stringContaining("Access denied") }] } },
    });
  });

  test("unless the server is told to ignore it", async () => {
    await using folder = tempFolder({ "a.txt": "a" });
    const { code, said } = await byCommand([folder.path, "--roots", "ignore"], ...CALL);
    expect({ code, said }).toMatchObject({ code: 0, said: { result: { content: [{ type: "text", text: "a" }] } } });
  });
});

test("the network is out of bounds here: reaching for it would end the Inspector with 99", () => {
  const guard = new URL("../src/no-network.ts", import.meta.url).href;
  const reach = 'await fetch("http://127.0.0.1:1234/").catch(() => undefined)';
  const { status, stderr } = spawnSync(process.execPath, [`--import=${guard}`, "--input-type=module", "--eval", reach], {
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([99, expect.stringContaining("out of bounds")]);
});
