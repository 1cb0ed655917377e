// PATH-20 to PATH-35: what a path text and a file address may say, tried on every way in.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Json } from "@oarlock/server-kit/protocol";
import { describe, expect, test } from "vitest";
import { startAttack } from "./attack.ts";
import type { Attacked } from "./attacked.ts";
import { tryAll } from "./entrances.ts";

const byPath = ({ byUri }: { byUri?: true }): boolean => byUri === undefined;
const looks = ({ writes, name }: { writes: boolean; name: string }): boolean =>
  !writes && !name.startsWith("completion") && !name.startsWith("resources/subscribe");

describe("text that cannot be a path", () => {
  test("PATH-20 refuses NUL everywhere, and cuts nothing off at it", async () => {
    await using attacked = await startAttack({ "ok.txt": "ok" });
    for (const path of ["ok.txt\0.png", "\0", "ok.txt\0", `${attacked.root}/ok.txt\0/../x`, "ok\0.txt"]) {
      for (const { entrance, text, refused } of await tryAll(attacked, path)) {
        expect(refused, entrance).toBe(true);
        if (!/^completion|^resources/.test(entrance)) expect(text, entrance).toMatch(/^Invalid path: it has a NUL character/);
      }
    }
    expect(await refusal(attacked, `file://${attacked.root}/ok%00.txt`)).toBe(-32602);
    expect(readdirSync(attacked.root).toSorted()).toEqual(["ok.txt", "plain.txt"]);
    await attacked.checkRules();
  });

  test("PATH-21 shortens a long name or path in the error", async () => {
    await using attacked = await startAttack();
    for (const path of ["n".repeat(300), `${"d/".repeat(2500)}f`, "x".repeat(100_000), "é".repeat(2500)]) {
      for (const { entrance, text, refused } of await tryAll(attacked, path)) {
        expect(refused, entrance).toBe(true);
        expect(text.length, entrance).toBeLessThan(entrance.startsWith("resources/") ? 20_000 : 600);
      }
    }
    expect(readdirSync(attacked.root)).toEqual(["plain.txt"]);
    await attacked.checkRules();
  });

  test("PATH-22 refuses a path of a hundred thousand components", async () => {
    await using attacked = await startAttack();
    for (const path of [
      "a/".repeat(100_000),
      "../".repeat(100_000),
      "./".repeat(100_000),
      "/".repeat(100_000),
      `${"a/../".repeat(100_000)}plain.txt`,
    ]) {
      // Quadratic work exceeds the deadline of a request.
      for (const { entrance, refused } of await tryAll(attacked, path, byPath)) expect(refused, entrance).toBe(true);
    }
    await attacked.checkRules();
  });
});

describe("text that the system reads literally", () => {
  test("PATH-23 reads a tilde as a name", async () => {
    await using attacked = await startAttack({ "~": "tilde\n" });
    for (const path of ["~/x", "~root/x", "~root", "~/.profile"]) {
      for (const { entrance, refused, text } of await tryAll(attacked, path, looks))
        expect({ entrance, refused, text }).toMatchObject({ refused: true, text: expect.not.stringMatching(/Access denied/) });
    }
    for (const path of ["./~", "~"])
      expect(await attacked.reply("read_text_file", { path })).toMatchObject({ text: "tilde\n", failed: false });
    expect(await attacked.reply("write_file", { path: "~/x", content: "" })).toMatchObject({ failed: true });
    await attacked.checkRules();
  });

  test("PATH-24 reads variables and commands as names", async () => {
    await using attacked = await startAttack();
    const mark = join(attacked.base, "MARK");
    for (const name of [
      "$HOME",
      "${HOME}",
      "%USERPROFILE%\\x",
      "`id`",
      `\`touch ${mark}\``,
      `$(touch ${mark})`,
      "$(id)",
      "; id",
      "| id",
      "&& id",
      "-rf",
      "--help",
      "*",
      "{a,b}",
      "!x",
    ]) {
      const plain = name.replaceAll("/", "_");
      expect(await attacked.reply("read_text_file", { path: plain }), plain).toMatchObject({
        failed: true,
        text: expect.stringContaining(`No such file or directory: ${plain}`), // and perhaps a name that is near
      });
      expect(await attacked.reply("write_file", { path: plain, content: "x" })).toMatchObject({ failed: false });
      expect(readFileSync(attacked.at(plain), "utf8")).toBe("x");
    }
    await attacked.checkRules();
  });

  test("PATH-25 leaves percent signs in a plain path undecoded", async () => {
    await using attacked = await startAttack({ "%2e%2e%2fOUT%2fsecret.txt": "literal\n" });
    expect(await attacked.reply("read_text_file", { path: "%2e%2e%2fOUT%2fsecret.txt" })).toMatchObject({
      text: "literal\n",
      failed: false,
    });
    for (const path of ["%2e%2e/OUT/secret.txt", "%2e%2e%2fOUT", "..%2fOUT%2fsecret.txt"]) {
      for (const { entrance, refused } of await tryAll(attacked, path, looks)) expect(refused, entrance).toBe(true);
    }
    await attacked.checkRules();
  });

  test("PATH-31 reads backslashes as part of a name", async () => {
    await using attacked = await startAttack({ "..\\OUT\\secret.txt": "literal\n" });
    expect(await attacked.reply("read_text_file", { path: "..\\OUT\\secret.txt" })).toMatchObject({ text: "literal\n", failed: false });
    expect(await attacked.reply("read_text_file", { path: "ROOT\\..\\OUT" })).toMatchObject({ failed: true });
    expect(await attacked.reply("read_text_file", { path: "C:\\Windows\\x" })).toMatchObject({ failed: true });
    await attacked.checkRules();
  });

  test("PATH-32 names no other file by trailing dots, blanks and slashes", async () => {
    await using attacked = await startAttack({ "f.txt": "f\n", dir: { g: "g" } });
    for (const path of ["f.txt.", "f.txt ", " f.txt", "f.txt/", "f.txt/.", "f.txt/..", "F.TXT", "f.txt\n", ""]) {
      // An address without a name is that of the root.
      const fits = (entrance: { writes: boolean; name: string; byUri?: true }): boolean =>
        looks(entrance) && !(path === "" && entrance.byUri === true);
      for (const { entrance, refused } of await tryAll(attacked, path, fits))
        expect(refused, `${entrance} ${JSON.stringify(path)}`).toBe(true);
    }
    for (const path of ["f.txt/", "f.txt/.", "", ".", "dir/.", "dir/..", "dir/"]) {
      expect((await attacked.reply("write_file", { path, content: "x" })).failed, path).toBe(true);
      expect((await attacked.reply("move_file", { source: "plain.txt", destination: path, overwrite: true })).failed, path).toBe(true);
    }
    for (const path of ["dir/.", "dir/", "./dir", "dir/../dir"])
      expect((await attacked.reply("list_directory", { path })).text, path).toBe("[FILE] g");
    for (const name of ["f.txt.", "f.txt ", " f.txt"])
      expect((await attacked.reply("write_file", { path: name, content: name })).failed).toBe(false);
    expect(readFileSync(attacked.at("f.txt"), "utf8")).toBe("f\n");
    expect(readdirSync(attacked.root).toSorted()).toEqual([" f.txt", "dir", "f.txt", "f.txt ", "f.txt.", "plain.txt"]);
    await attacked.checkRules();
  });

  test("PATH-33 treats another case as another name if the file system does", async () => {
    await using attacked = await startAttack({ Data: { f: "f" } }, { deny: [".env"] });
    writeFileSync(attacked.at(".env"), "hidden");
    writeFileSync(attacked.at(".ENV"), "shown");
    expect(await attacked.reply("read_text_file", { path: attacked.at("data/f") })).toMatchObject({ failed: true });
    expect(await attacked.reply("read_text_file", { path: attacked.root.replace("ROOT", "root") })).toMatchObject({
      failed: true,
      text: expect.stringMatching(/^Access denied/),
    });
    expect(await attacked.reply("read_text_file", { path: ".env" })).toMatchObject({
      failed: true,
      text: expect.stringMatching(/^Access denied/),
    });
    expect(await attacked.reply("read_text_file", { path: ".ENV" })).toMatchObject({ text: "shown", failed: false });
    await attacked.checkRules();
  });

  test("PATH-34 distinguishes composed and decomposed names, in files and in the root", async () => {
    await using attacked = await startAttack(
      {},
      { directories: (base) => [join(base, "ROOT"), join(base, "r\u00e9")], beside: { "r\u00e9": { f: "in" }, "re\u0301": { f: "out" } } },
    );
    for (const [name, text] of [
      ["\u00e9", "composed"],
      ["e\u0301", "decomposed"],
    ] as const)
      expect((await attacked.reply("write_file", { path: name, content: text })).failed).toBe(false);
    expect((await attacked.reply("read_text_file", { path: "\u00e9" })).text).toBe("composed");
    expect((await attacked.reply("read_text_file", { path: "e\u0301" })).text).toBe("decomposed");
    expect((await attacked.reply("list_directory", { path: attacked.root })).text).toBe("[FILE] e\u0301\n[FILE] plain.txt\n[FILE] \u00e9");
    expect((await attacked.reply("read_text_file", { path: join(attacked.base, "r\u00e9/f") })).text).toBe("in");
    expect((await attacked.reply("read_text_file", { path: join(attacked.base, "re\u0301/f") })).text).toMatch(/^Access denied/);
    await attacked.checkRules();
  });

  test("PATH-35 reads look-alikes of dots and slashes as names", async () => {
    await using attacked = await startAttack();
    const names = [
      "..\uff0fOUT\uff0fsecret.txt",
      "..\u2215OUT",
      "\u2024\u2024\u2215OUT",
      "\u2024\u2024",
      ".\u00ad.",
      ".\u200d.",
      "\uff0e\uff0e",
      ".\u200b./OUT",
    ];
    for (const path of names)
      for (const { entrance, refused } of await tryAll(attacked, path, looks)) expect(refused, `${entrance} ${path}`).toBe(true);
    for (const name of names.filter((name) => !name.includes("/")))
      expect((await attacked.reply("create_directory", { path: name })).failed).toBe(false);
    expect(readdirSync(attacked.root).toSorted()).toEqual([...names.filter((name) => !name.includes("/")), "plain.txt"].toSorted());
    await attacked.checkRules();
  });
});

describe("URIs", () => {
  test("PATH-26 decodes double encoding once", async () => {
    await using attacked = await startAttack();
    mkdirSync(attacked.at("%2e%2e"));
    for (const rest of ["%252e%252e/OUT/secret.txt", "%252e%252e%252fOUT", "%25252e/x"])
      expect([-32002, -32602], rest).toContain(await refusal(attacked, `file://${attacked.root}/${rest}`));
    await attacked.checkRules();
  });

  test("PATH-27 refuses encoded separators and dots", async () => {
    await using attacked = await startAttack({ a: {} });
    for (const rest of [
      "a%2F..%2F..%2FOUT%2Fsecret.txt",
      "a%2f..%2fplain.txt",
      "a%5C..%5Cplain.txt",
      "%2e%2e/OUT/secret.txt",
      "%2E%2E/OUT",
      "a/../plain.txt",
      "a/./../plain.txt",
      "./plain.txt",
      "..%2fOUT",
    ]) {
      expect(await refusal(attacked, `file://${attacked.root}/${rest}`), rest).toBe(-32602);
    }
    await attacked.checkRules();
  });

  test("PATH-28 accepts only the empty host and localhost, in one form", async () => {
    await using attacked = await startAttack();
    for (const uri of [
      `file://evil.example${attacked.root}/plain.txt`,
      `file://127.0.0.1${attacked.root}/plain.txt`,
      `file://[::1]${attacked.root}/plain.txt`,
      `file:///${attacked.root}/plain.txt`,
      `file:${attacked.root}/plain.txt`,
      `file:/${attacked.root}/plain.txt`.replace("//", "/"),
      `file:////${attacked.root.slice(1)}`,
      `file://LOCALHOST.evil${attacked.root}/plain.txt`,
    ]) {
      expect(await refusal(attacked, uri), uri).toBe(-32602);
    }
    for (const uri of [
      `file://${attacked.root}/plain.txt`,
      `file://localhost${attacked.root}/plain.txt`,
      `file://LocalHost${attacked.root}/plain.txt`,
      `FILE://${attacked.root}/plain.txt`,
    ]) {
      expect(await refusal(attacked, uri), uri).toBe(undefined);
    }
    await attacked.checkRules();
  });

  test("PATH-29 refuses queries, fragments, users, ports and broken escapes", async () => {
    await using attacked = await startAttack();
    const base = `file://${attacked.root}/plain.txt`;
    for (const uri of [
      `${base}?x`,
      `${base}?`,
      `${base}#f`,
      `${base}#`,
      `file://user@localhost${attacked.root}/plain.txt`,
      `file://user:pw@${attacked.root}/plain.txt`,
      `file://localhost:80${attacked.root}/plain.txt`,
      `file://:80${attacked.root}/plain.txt`,
      `file://${attacked.root}/%zz`,
      `file://${attacked.root}/%E0%A4`,
      `file://${attacked.root}/%`,
      `file://${attacked.root}/a%2`,
      `${base}\n`,
      `file://${attacked.root}/\u0000`,
      `file://${attacked.root}//plain.txt`,
    ]) {
      expect(await refusal(attacked, uri), uri).toBe(-32602);
    }
    // A slash at the end can only mean a directory.
    expect(await refusal(attacked, `file://${attacked.root}/`)).toBe(undefined);
    expect(await refusal(attacked, `${base}/`)).toBe(-32602);
    await attacked.checkRules();
  });

  test("PATH-30 refuses other schemes", async () => {
    await using attacked = await startAttack();
    for (const uri of [
      "http://localhost/plain.txt",
      "https://evil.example/",
      "data:text/plain,x",
      "javascript:alert(1)",
      "",
      ":",
      "plain.txt",
      attacked.at("plain.txt"),
      "ftp://x/y",
      " file:///x",
      "jar:file:///x!/y",
      "filex:///x",
      "urn:x",
    ]) {
      expect([-32002, -32602], uri).toContain(await refusal(attacked, uri));
    }
    for (const uri of ["file:rel", "file:plain.txt", "file:", "file://", "file:///"])
      expect([-32002, -32602], uri).toContain(await refusal(attacked, uri));
    await attacked.checkRules();
  });
});

/** The code with which reading, subscribing and completing refuse an address; undefined when all take it. They must agree. */
async function refusal(attacked: Attacked, uri: string): Promise<unknown> {
  const read = await attacked.request("resources/read", { uri });
  const watched = await attacked.request("resources/subscribe", { uri });
  const code = (answer: Json): unknown => (answer["error"] as { code?: number } | undefined)?.code;
  if (code(watched) === undefined) await attacked.request("resources/unsubscribe", { uri });
  // What does not exist may be waited for.
  if (!(code(read) === -32002 && code(watched) === undefined)) expect(code(watched), uri).toBe(code(read));
  if (uri.endsWith("plain.txt/")) return code(read); // completion does not interpret addresses
  const completed = await attacked.request("completion/complete", {
    ref: { type: "ref/resource", uri },
    argument: { name: "path", value: attacked.out },
  });
  if (code(read) === -32602) expect(code(completed), uri).toBe(-32602);
  return code(read);
}
