import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { breakLines } from "../break-lines.ts";

const kit = fileURLToPath(new URL("../../../packages/server-kit/dist/", import.meta.url));

test("breaks lines before statements and members, outside of strings and not after return", () => {
  const long = "x".repeat(100);
  const code = `const s=\`${long}\${(()=>{a("𝄞${long}");return 1})()}\n;b()\`;class C{#m="${long}";static n(){return{body:["${long}"]}}get p(){return}}d();`;
  expect(breakLines(code).split("\n")).toEqual([
    `const s=\`${long}\${(()=>{`,
    `a("𝄞${long}");`,
    "return 1})()}",
    `;b()\`;class C{#m="${long}";`,
    `static n(){return{body:["${long}"]}}`,
    "get p(){return}}d();",
  ]);
});

test("points a stack trace to a readable line of the kit", () => {
  const mistake = `import { tool } from ${JSON.stringify(`${kit}index.js`)}; tool({ name: "bad name!", run: () => "" });`;
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", mistake], { encoding: "utf8" });
  expect(status).toBe(1);
  expect(stderr).toContain('TypeError: Tool name "bad name!"');
  expect(stderr.length).toBeLessThan(2000);
  expect(
    Math.max(
      ...readFileSync(`${kit}lazy/kit.js`, "utf8")
        .split("\n")
        .map(({ length }) => length),
    ),
  ).toBeLessThan(2000); // the longest is the list of exports
});
