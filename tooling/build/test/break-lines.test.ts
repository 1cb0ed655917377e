/** Line breaks in built modules. */
import { expect, test } from "vitest";
import { breakLines } from "../break-lines.ts";

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
