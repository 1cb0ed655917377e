// A hostile program that exchanges a folder below --files-dir for a link as fast as it can (L5, PATH-43): import, export and backup
// read and write nothing outside.
import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { needs, tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { makeDatabase } from "../support/databases.ts";
import { startServer } from "../support/server-process.ts";

const SWAPPER = fileURLToPath(new URL("../../../filesystem/test/cases/fixtures/swapper.ts", import.meta.url));
const ROUNDS = process.env["OARLOCK_LONG"] === "1" ? 2000 : 300;
const SECRET = "secret of another folder";

test(
  `follows no folder that is swapped for a link in ${ROUNDS} imports, exports and backups`,
  { timeout: 400_000, ...needs("Linux") },
  async () => {
    await using folder = tempFolder();
    for (const name of ["files/d", "out", "db"]) mkdirSync(folder.at(name), { recursive: true });
    writeFileSync(folder.at("files/d/in.csv"), "v\ninside\n");
    writeFileSync(folder.at("out/in.csv"), `v\n${SECRET}\n`);
    const file = makeDatabase(folder.at("db/m.db"), "CREATE TABLE t (v); INSERT INTO t VALUES ('row')");
    await using server = await startServer([
      "--db-path",
      file,
      "--files-dir",
      folder.at("files"),
      "--toolsets",
      "default,files",
      "--confirm-above",
      "1000000",
    ]);
    const swapper = spawn(process.execPath, [SWAPPER, folder.at("files/d"), folder.at("out")], { stdio: ["ignore", "pipe", "inherit"] });
    await new Promise((resolve) => swapper.stdout.once("data", resolve));
    const done = { imports: 0, exports: 0, refused: 0 };
    try {
      for (let round = 0; round < ROUNDS; round++) {
        const name = `d/out-${round}`;
        const isImport = round % 3 !== 0;
        const reply = isImport
          ? await server.call("import_csv", { path: "d/in.csv", table: "t" })
          : round % 2 === 0
            ? await server.call("export_query", { query: "SELECT v FROM t LIMIT 1", path: `${name}.csv` })
            : await server.call("backup_database", { path: `${name}.db` });
        if (reply?.failed !== false) done.refused++;
        else if (isImport) done.imports++;
        else done.exports++;
      }
    } finally {
      swapper.kill("SIGKILL");
    }
    expect(readdirSync(folder.at("out"))).toEqual(["in.csv"]);
    expect(readFileSync(folder.at("out/in.csv"), "utf8")).toBe(`v\n${SECRET}\n`);
    const values = await server.call("read_query", { query: "SELECT DISTINCT v FROM t ORDER BY v" });
    expect(values?.text).not.toContain(SECRET);
    expect(done.refused).toBeGreaterThan(0);
    expect(done.imports + done.exports).toBeGreaterThan(0);
  },
);
