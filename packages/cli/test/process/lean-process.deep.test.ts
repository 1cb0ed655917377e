import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const source = fileURLToPath(new URL("../../src/process/lean-process.ts", import.meta.url));

/** The compilers that V8 used for a busy function, as it reports on stdout. */
function compilers(before: string): string[] {
  const busy = `
    import { leanProcess } from ${JSON.stringify(source)};
    ${before}
    function sum(values) { let all = 0; for (const value of values) all += value; return all; }
    for (let at = 0; at < 50_000; at++) sum([at, 1, 2, 3]);`;
  const { stdout, stderr, status } = spawnSync(process.execPath, ["--trace-opt", "--input-type=module", "-e", busy], { encoding: "utf8" });
  expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
  return [...new Set([...stdout.matchAll(/<JSFunction sum\b[^>]*> \(target (\w+)\)/g)].map(([, target = ""]) => target))];
}

test("skips V8's middle compiler in a lean process and keeps the optimizing one", () => {
  expect(compilers("")).toContain("MAGLEV");
  const lean = compilers("leanProcess();");
  expect(lean).not.toContain("MAGLEV");
  expect(lean).toContainEqual(expect.stringMatching(/^TURBOFAN/));
});
