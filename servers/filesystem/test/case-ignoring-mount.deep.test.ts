// The server, as a process, on a mounted file system that ignores case: other spellings pass no boundary and lose nothing.
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { portableHandles } from "@oarlock/domain-kit";
import { connectTo } from "@oarlock/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openDisk } from "../src/disk/disk.ts";
import { move } from "../src/disk/transfer/move.ts";
import { writeText } from "../src/disk/write/text-writer.ts";
import { mountIgnoringCase, whyNoMount, type Mount } from "./disk/support/case-ignoring-mount.ts";
import { refuses } from "./disk/support/world.ts";
import { text } from "./support/served-folder.ts";
import { bin } from "./support/target.ts";

const reason = whyNoMount();

describe.skipIf(reason !== undefined)(`on a mount that ignores case${reason === undefined ? "" : ` (skipped: ${reason})`}`, () => {
  let mount: Mount;
  let folders = 0;
  beforeAll(() => void (mount = mountIgnoringCase()));
  afterAll(() => mount[Symbol.dispose]());

  /** A served folder with one for reading only and hidden names, and a call of a tool that tells the text of the reply. */
  async function serve(...args: string[]) {
    const root = `${mount.path}/p${(folders += 1)}`;
    mkdirSync(`${root}/ref`, { recursive: true });
    mkdirSync(`${root}/hooks`);
    writeFileSync(`${root}/ref/a`, "a");
    writeFileSync(`${root}/secrets.env`, "hidden text");
    writeFileSync(`${root}/plain.txt`, "plain");
    const wired = await connectTo(bin(["--allow-delete", ...args, root, `${root}/Ref:ro`]));
    const call = async (tool: string, input: Record<string, unknown>) => {
      const result = await wired.client.call(tool, input as never);
      return `${result.isError === true ? "error: " : ""}${text(result)}`;
    };
    return { root, call, [Symbol.asyncDispose]: () => wired[Symbol.asyncDispose]() };
  }

  test("keeps DIR:ro read-only in every spelling", async () => {
    await using served = await serve();
    const { root, call } = served;
    for (const spelling of ["ref", "REF", "rEf"]) {
      const at = (name: string) => `${root}/${spelling}/${name}`;
      const replies = [
        await call("write_file", { path: at("a"), content: "x" }),
        await call("write_file", { path: at("new/er"), content: "x", createDirectories: true }),
        await call("edit_file", { path: at("A"), edits: [{ oldText: "a", newText: "b" }] }),
        await call("create_directory", { path: at("new") }),
        await call("move_file", { source: `${root}/PLAIN.txt`, destination: at("moved") }),
        await call("copy_file", { source: `${root}/plain.txt`, destination: at("copied") }),
        await call("delete_file", { path: at("a") }),
      ];
      for (const reply of replies) expect(reply).toMatch(/^error: .*read-only/);
      expect(await call("delete_file", { path: `${root}/${spelling}`, recursive: true })).toMatch(
        /^error: (?:Allowed directories|Expected a path that ends in a name below)/,
      );
      expect(await call("read_text_file", { path: at("A") })).toBe("a");
    }
    expect(readdirSync(`${root}/ref`)).toEqual(["a"]);
    expect(readFileSync(`${root}/ref/a`, "utf8")).toBe("a");
  });

  test("hides a denied name in every spelling", async () => {
    await using served = await serve("--deny", "secrets.env");
    const { root, call } = served;
    for (const spelling of ["secrets.env", "SECRETS.ENV", "Secrets.env"]) {
      const path = `${root}/${spelling}`;
      const replies = [
        await call("read_text_file", { path }),
        await call("get_file_info", { path }),
        await call("write_file", { path, content: "x" }),
        await call("move_file", { source: path, destination: `${root}/open.txt` }),
        await call("copy_file", { source: path, destination: `${root}/open.txt` }),
        await call("delete_file", { path }),
      ];
      for (const reply of replies) expect(reply).toMatch(/^error: Access denied/);
    }
    expect(readFileSync(`${root}/secrets.env`, "utf8")).toBe("hidden text");
  });

  test("moves to and overwrites another spelling without loss", async () => {
    await using served = await serve();
    const { root, call } = served;
    expect(await call("move_file", { source: `${root}/plain.txt`, destination: `${root}/PLAIN.txt` })).toMatch(/^Successfully moved/);
    expect(await call("move_file", { source: `${root}/PLAIN.txt`, destination: `${root}/Plain.txt`, overwrite: true })).not.toMatch(
      /error|undo/,
    );
    expect(await call("write_file", { path: `${root}/PLAIN.TXT`, content: "new" })).not.toMatch(/^error/);
    expect(await call("move_file", { source: `${root}/HOOKS`, destination: `${root}/hooks/below` })).toMatch(/^error: .*into itself/);
    expect(readFileSync(`${root}/plain.txt`, "utf8")).toBe("new");
    expect(readdirSync(root).toSorted()).toEqual(["hooks", "plain.txt", "ref", "secrets.env"]);
  });

  test("finds a root in another spelling, and protects the target of a git directory's link", async () => {
    await using served = await serve();
    const { root, call } = served;
    const other = root.replace(/\/p(\d+)$/, "/P$1");
    expect(await call("read_text_file", { path: `${other}/plain.txt` })).toBe("plain");
    expect(await call("write_file", { path: `${other}/new/er`, content: "x", createDirectories: true })).not.toMatch(/^error/);
    mkdirSync(`${root}/.git`);
    symlinkSync(`${root}/hooks`, `${root}/.git/hooks`);
    expect(await call("write_file", { path: `${root}/HOOKS/pre-commit`, content: "x" })).toMatch(/^error: Writing to/);
    expect(readdirSync(`${root}/hooks`)).toEqual([]);
  });

  test("decides the same without descriptors, as on systems without /proc", async () => {
    const root = `${mount.path}/names`;
    mkdirSync(`${root}/ref`, { recursive: true });
    writeFileSync(`${root}/secrets.env`, "hidden text");
    const directories = [root, `${root}/ref`].map((path, index) => ({ path, readOnly: index === 1 }));
    const sandbox = (await openDisk({ directories, deny: ["secrets.env"], handles: portableHandles })).sandbox();
    await refuses("read-only", () => writeText(sandbox, `${root}/REF/new`, "x"));
    await refuses("denied", () => move(sandbox, `${root}/SECRETS.env`, `${root}/open.txt`));
    expect(readdirSync(root).toSorted()).toEqual(["ref", "secrets.env"]);
  });
});
