/** Stack traces of the built kit. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const kit = fileURLToPath(new URL("../../../packages/server-kit/dist/", import.meta.url));

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
