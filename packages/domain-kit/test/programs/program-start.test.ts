/** Tests how a command is started on Windows and elsewhere. The files and the variables of the other system are made up. */
import { array, assert, constantFrom, property, string } from "fast-check";
import { describe, expect, test } from "vitest";
import { BatchWordError } from "../../src/programs/batch-command.ts";
import { endProgram, treeEnd } from "../../src/programs/process-tree.ts";
import { programStart, type ProgramStart } from "../../src/programs/program-start.ts";
import { programWords, wordsThroughBatch } from "../support/windows-words.ts";

const NPX = String.raw`C:\Program Files\nodejs\npx.cmd`;
const VARIABLES = { Path: String.raw`C:\Windows\System32;"C:\Program Files\nodejs\"`, cd: String.raw`C:\work`, TEMP: "secret & more" };
const FILES = [NPX, String.raw`C:\Program Files\nodejs\npx`, String.raw`C:\work\tools\a&b\run.bat`, String.raw`C:\R&D\node.exe`];

const onWindows = (command: string, args: readonly string[] = [], files: readonly string[] = FILES): ProgramStart =>
  programStart(command, args, {
    platform: "win32",
    env: VARIABLES,
    cwd: String.raw`C:\work`,
    isProgram: (path) => files.some((file) => file.toLowerCase() === path.toLowerCase()),
  });

const received = ({ args }: ProgramStart): string[] => wordsThroughBatch(args, VARIABLES);

describe("a batch file on Windows", () => {
  test("is found by its name and started through cmd.exe", () => {
    expect(onWindows("npx", ["-y", "@oarlock/git"])).toEqual({
      file: String.raw`C:\Windows\System32\cmd.exe`,
      args: ["/d", "/e:on", "/v:off", "/s", "/c", String.raw`""C:\Program Files\nodejs\npx.cmd" -y @oarlock/git"`],
      options: { windowsHide: true, windowsVerbatimArguments: true },
    });
  });

  test.each([
    ["npx.cmd", "npx.cmd"],
    [NPX, "npx.cmd"],
    ["C:/Program Files/nodejs/npx", "npx.cmd"],
    [String.raw`tools\a&b\run`, "run.bat"],
    ["./tools/a&b/run.bat", "run.bat"],
  ])("is found as %s", (command, name) => {
    const { args, options } = onWindows(command, ["x"]);
    expect(options.windowsVerbatimArguments).toBe(true);
    expect(args.at(-1)).toContain(`${name}" x"`);
    expect(args.at(-1)).not.toContain("/a&b/");
  });

  test.each([
    ["blanks", "a b  c"],
    ["an empty word", ""],
    ["special characters", "a&b|c<d>e^f(g)!h!"],
    ["a directory with &", String.raw`C:\R&D`],
    ["percent signs", "100% %TEMP% %TEMP:~0,3% %temp:e=% %%"],
    ["quotes", String.raw`say "a&b" \"c\\" %TEMP%`],
    ["one quote", '"'],
    ["trailing backslashes", String.raw`C:\my notes\\`],
    ["a lone backslash", "\\"],
    ["separators of cmd", "a=b,c;d"],
    ["other letters", "é 漢 😀"],
  ])("gets %s unchanged", (_, word) => {
    expect(received(onWindows("npx", ["-y", word, "last"]))).toEqual(["-y", word, "last"]);
  });

  test("gets every list of arguments unchanged", () => {
    const word = string({ unit: constantFrom(...'ab \\"%^&|<>()!:~,=TEMP'.split("")) });
    assert(
      property(array(word), (words) => {
        expect(received(onWindows("npx", words))).toEqual(words);
      }),
    );
  });

  test.each(["a\nb", "a\r"])("is not started with a line break in %j", (word) => {
    expect(() => onWindows("npx", [word])).toThrow(BatchWordError);
    expect(() => onWindows("npx", [word])).toThrow(/Argument ".*" has a line break/);
  });
});

describe("another program on Windows", () => {
  test("is started by its full path with arguments that Node quotes", () => {
    const files = [String.raw`C:\Program Files\nodejs\node.exe`, String.raw`C:\Windows\System32\cmd.exe`];
    const options = { windowsHide: true, windowsVerbatimArguments: false };
    expect(onWindows("node", ["a&b"], files)).toEqual({ file: files[0], args: ["a&b"], options });
    expect(onWindows("cmd", ["/c", "npx"], files)).toEqual({ file: files[1], args: ["/c", "npx"], options });
    expect(onWindows(String.raw`C:\R&D\node.exe`).file).toBe(String.raw`C:\R&D\node.exe`);
  });

  test("is preferred by the order of PATHEXT, in the first folder of PATH that has it", () => {
    const isProgram = (path: string): boolean => /^[ab]:\\tool\.(?:cmd|exe|js)$/.test(path.toLowerCase());
    const found = (env: Record<string, string>): string => programStart("tool", [], { platform: "win32", env, isProgram }).file;
    expect(found({ PATH: String.raw`B:\;A:\\` })).toBe(String.raw`B:\tool.exe`);
    expect(found({ path: "A:\\", PathExt: ".JS;.CMD;.EXE" })).toMatch(/cmd\.exe$/);
    expect(found({ PATH: "C:\\", Path: "A:\\" })).toBe("tool");
  });

  test("is left to the system when it is missing", () => {
    expect(onWindows("npx", ["a b"], [])).toMatchObject({ file: "npx", args: ["a b"], options: { windowsVerbatimArguments: false } });
  });
});

test.each(["linux", "darwin"] as const)("starts a command unchanged on %s", (platform) => {
  const isProgram = (): boolean => true;
  expect(programStart("npx.cmd", ["a\nb", "%"], { platform, env: { PATH: "/bin" }, isProgram })).toMatchObject({
    file: "npx.cmd",
    args: ["a\nb", "%"],
    options: { windowsVerbatimArguments: false },
  });
});

test.each([
  ["win32", ["tree of 7"]],
  ["linux", ["SIGTERM"]],
  ["darwin", ["SIGTERM"]],
] as const)("ends a program on %s", (platform, expected) => {
  const ended: string[] = [];
  endProgram({ pid: 7, kill: (signal) => ended.push(String(signal)) > 0 }, "SIGTERM", platform, (pid) => ended.push(`tree of ${pid}`));
  expect(ended).toEqual(expected);
});

test("ends a process tree by taskkill, wherever Windows is installed", () => {
  expect(treeEnd(7, { systemroot: "D:\\Win" })).toMatchObject({
    file: String.raw`D:\Win\System32\taskkill.exe`,
    args: ["/PID", "7", "/T", "/F"],
  });
});

describe("the emulated cmd", () => {
  const cmd = (line: string): string[] => wordsThroughBatch(["/s", "/c", `"x.cmd ${line}"`], VARIABLES);

  test("splits and changes unquoted text", () => {
    expect(() => cmd(String.raw`C:\R&D`)).toThrow("A second command begins with &D");
    expect(() => cmd("^&")).toThrow("A second command begins with &"); // the batch file reads it again
    expect(cmd("%CD% %cd:work=%x %cd:~0,1% a^b 100%")).toEqual([String.raw`C:\work`, String.raw`C:\x`, "C", "ab", "100%"]);
  });

  test("gives a program the arguments that Microsoft documents", () => {
    expect(programWords(String.raw`"abc" d e`)).toEqual(["abc", "d", "e"]);
    expect(programWords(String.raw`a\\b d"e f"g h`)).toEqual([String.raw`a\\b`, "de fg", "h"]);
    expect(programWords(String.raw`a\\\"b c d`)).toEqual([String.raw`a\"b`, "c", "d"]);
    expect(programWords(String.raw`a\\\\"b c" d e`)).toEqual([String.raw`a\\b c`, "d", "e"]);
    expect(programWords(String.raw`a"b"" c d`)).toEqual(['ab" c d']);
  });
});
