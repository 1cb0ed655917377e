/** Tests which modules and files a start loads, up to the response to `initialize`. */
import { tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { expectWithinBudgets } from "./support/budget.ts";
import { loadsOf, nothing } from "./support/loaded-modules.ts";
import { builtFile } from "@oarlock-tooling/test-support/built-file";
import { STARTS } from "./support/starts.ts";

/** Internal modules have names that cannot be imported. */
const isPublic = (name: string): boolean => !/^(?:internal\/|_)/.test(name);

test.each(STARTS)(
  "loads at most $files files at the start of $name, and modules of Node within its budget",
  async ({ name, path, args, http, may, files }) => {
    await using folder = tempFolder();
    const [empty, loaded] = await Promise.all([nothing(), loadsOf({ http }, builtFile(path), args(folder))]);
    const own = loaded.builtins.filter((name) => !empty.builtins.includes(name));
    const remedy = "Import it lazily (await import) where it is needed, or enter it in tooling/budgets/test/support/starts.ts and say why.";
    const extra = own.filter((name) => isPublic(name) && !may.includes(name));
    expect(extra, `A start must not load these modules. ${remedy}`).toEqual([]);
    expectWithinBudgets([{ what: `start of ${name}`, measured: own.length, unit: "modules of Node, internal ones included" }]);
    expect(loaded.files.length, `Files: ${loaded.files.join(" ")}. ${remedy}`).toBeLessThanOrEqual(files);
  },
);

test("reports the modules and files of a program", async () => {
  const [empty, echo] = await Promise.all([nothing(), loadsOf({ http: false }, builtFile("tooling/bench/dist/echo-stdio.js"), [])]);
  expect(echo.files).toEqual([expect.stringMatching(/echo-stdio\.js$/)]);
  expect(echo.builtins).toEqual(expect.arrayContaining(["net", "stream"]));
  expect(empty.builtins).not.toContain("net");
  expect(empty.builtins).toContain("fs");
});
