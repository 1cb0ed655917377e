// Outlines of source files: what is declared, where, and how it is nested.
import { writeFileSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { languageOf } from "../../../src/disk/outline/languages.ts";
import { outlineFile } from "../../../src/disk/outline/outline.ts";
import { scratch } from "../support/scratch.ts";
import { refuses } from "../support/world.ts";

async function outlineOf(name: string, source: string | Buffer) {
  const place = scratch();
  writeFileSync(place.at(name), source);
  const { entries, hasErrors } = await outlineFile(await place.sandbox(), name);
  const lines = entries.map((entry) => `${"  ".repeat(entry.depth)}${entry.line}-${entry.endLine} ${entry.kind} ${entry.name}`);
  return { lines, hasErrors };
}

test.each([
  [
    "TypeScript",
    "a.ts",
    `import { x } from "y";
export interface Shape { area(): number; }
export abstract class Circle implements Shape {
  readonly r = 1;
  constructor(r: number) { const inner = 1; }
  area(): number {
    function local() {}
    return 3;
  }
}
export const square = (n: number) => n * n, limit = 3;
type Id = string;
enum Color { Red }
namespace Inner { export function f() {} }
export default function main() {}
`,
    [
      "2-2 interface Shape",
      "  2-2 method area",
      "3-10 class Circle",
      "  4-4 field r",
      "  5-5 method constructor",
      "  6-9 method area",
      "11-11 function square",
      "11-11 variable limit",
      "12-12 type Id",
      "13-13 enum Color",
      "14-14 namespace Inner",
      "  14-14 function f",
      "15-15 function main",
    ],
  ],
  [
    "JavaScript",
    "a.mjs",
    "class A { #p = 1; static async m() {} }\nfunction* g() {}\nconst B = class { n() {} };\n",
    ["1-1 class A", "  1-1 field #p", "  1-1 method m", "2-2 function g", "3-3 class B", "  3-3 method n"],
  ],
  ["TSX", "a.tsx", "export function App() {\n  return <p>hi</p>;\n}\n", ["1-3 function App"]],
  [
    "Python",
    "a.py",
    'LIMIT = 3\n\n@decorated\nclass A(B):\n    x = 1\n    async def f(self):\n        def inner(): pass\n        return 1\n\ndef g():\n    """text"""\n',
    ["1-1 variable LIMIT", "4-8 class A", "  6-8 method f", "10-11 function g"],
  ],
  [
    "Go",
    "a.go",
    "package a\n\nconst Max = 3\nvar v, w int\n\ntype T struct {\n\tx int\n}\ntype I interface{ M() }\n\nfunc (t *T) Do() error {\n\treturn nil\n}\nfunc Run[K any](k K) {}\n",
    ["3-3 constant Max", "4-4 variable v", "6-8 struct T", "9-9 interface I", "11-13 method T.Do", "14-14 function Run"],
  ],
  [
    "Rust",
    "a.rs",
    "pub struct S<T> { x: T }\nenum E { A }\ntrait Tr { fn t(&self); }\nimpl<T> Tr for S<T> {\n    fn t(&self) {}\n}\nmod m {\n    pub const C: u8 = 1;\n    pub fn f() {}\n}\nmacro_rules! mac { () => {} }\n",
    [
      "1-1 struct S",
      "2-2 enum E",
      "3-3 trait Tr",
      "  3-3 method t",
      "4-6 impl Tr for S<T>",
      "  5-5 method t",
      "7-10 module m",
      "  8-8 constant C",
      "  9-9 function f",
      "11-11 macro mac",
    ],
  ],
  [
    "Java",
    "A.java",
    "package a;\npublic class A<T> {\n  private int x;\n  public A() {}\n  void m() { new Object() { void n() {} }; }\n  interface I { void i(); }\n  enum E { ONE }\n}\nrecord R(int a) {}\n",
    [
      "2-8 class A",
      "  3-3 field x",
      "  4-4 constructor A",
      "  5-5 method m",
      "  6-6 interface I",
      "    6-6 method i",
      "  7-7 enum E",
      "9-9 record R",
    ],
  ],
  [
    "C",
    "a.c",
    "#define MAX 3\nstruct point { int x; };\nstruct point p;\ntypedef struct { int y; } pair;\nint add(int a, int b);\nstatic int *find(const char *s) {\n  return 0;\n}\n",
    ["1-1 macro MAX", "2-2 struct point", "4-4 type pair", "5-5 function add", "6-8 function find"],
  ],
  [
    "C++",
    "a.hpp",
    "namespace n {\nclass A {\n public:\n  A();\n  ~A() {}\n  int size() const;\n  int x;\n};\ntemplate <typename T>\nT max(T a, T b) { return a; }\n}\nint n::A::size() const { return 1; }\n",
    [
      "1-11 namespace n",
      "  2-8 class A",
      "    4-4 method A",
      "    5-5 method ~A",
      "    6-6 method size",
      "  10-10 function max",
      "12-12 function n::A::size",
    ],
  ],
  [
    "C#",
    "a.cs",
    "namespace N { class A { int P { get; } void M() {} } }\n",
    ["1-1 namespace N", "  1-1 class A", "    1-1 property P", "    1-1 method M"],
  ],
  [
    "Ruby",
    "a.rb",
    "module M\n  class A\n    def f; end\n    def self.g; end\n  end\nend\n",
    ["1-6 module M", "  2-5 class A", "    3-3 method f", "    4-4 method g"],
  ],
  ["PHP", "a.php", "<?php\nclass A { function f() {} }\nfunction g() {}\n", ["2-2 class A", "  2-2 method f", "3-3 function g"]],
])("outlines %s", async (_, name, source, lines) => {
  expect(await outlineOf(name, source)).toEqual({ lines, hasErrors: false });
});

test("outlines what it can of a file with errors, in any encoding", async () => {
  expect(await outlineOf("a.py", "def ok():\n    pass\n\nclass (:\n")).toMatchObject({ lines: ["1-2 function ok"], hasErrors: true });
  const utf16 = Buffer.from("\ufefffunction gr\u00fcn() {}\r\n", "utf16le");
  expect((await outlineOf("a.js", utf16)).lines).toEqual(["1-1 function gr\u00fcn"]);
});

test("bounds the entries and the nesting", async () => {
  const place = scratch();
  writeFileSync(place.at("a.js"), "function f() {}\n".repeat(6000));
  const { entries, isCut } = await outlineFile(await place.sandbox(), "a.js");
  expect([entries.length, isCut]).toEqual([5000, true]);
  expect((await outlineOf("a.ts", "namespace a {".repeat(2000) + "}".repeat(2000))).lines.length).toBeLessThan(2000);
});

test("refuses other files, binary ones and those that are too large", async () => {
  const place = scratch({ "a.txt": "text" });
  writeFileSync(place.at("b.c"), Buffer.from([0xff, 0, 1, 0xfe, 0]));
  writeFileSync(place.at("large.js"), Buffer.alloc(3 * 1024 * 1024, "x"));
  const sandbox = await place.sandbox();
  await refuses(
    "invalid",
    () => outlineFile(sandbox, "a.txt"),
    () => outlineFile(sandbox, "b.c"),
  );
  await refuses("too-large", () => outlineFile(sandbox, "large.js"));
});

test("names the command that installs the package of grammars", async () => {
  vi.resetModules();
  const { loadGrammar } = await import("../../../src/disk/outline/grammar-loader.ts");
  await expect(loadGrammar(languageOf("a.go")!, "@example/not-installed")).rejects.toThrow(
    /which is not installed beside the server\. Run: npm install @vscode\/tree-sitter-wasm@\d/,
  );
});
