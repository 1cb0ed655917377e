// Health of a server: what readiness, metrics and the log show of damaged stores, newer formats, descriptors, issuers and engines.
import { createServer } from "node:http";
import { mkdirSync, readFileSync, renameSync, rmSync, statfsSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { closeServer, listenOn } from "../../../tooling/test-support/src/process/loopback.ts";
import { tempFolder } from "../../testing/src/files/temp-folder.ts";
import { needs } from "../../testing/src/checks/needs.ts";
import { expect, onTestFinished, test } from "vitest";
import { backplaneCheck, descriptorCheck, issuerCheck } from "../src/operations/health-checks.ts";
import { Health, type HealthCheck } from "../src/operations/health.ts";
import { Metrics } from "../src/operations/metrics.ts";
import { storeChecks } from "../src/operations/store-checks.ts";
import { StoreFaults } from "../src/operations/store-faults.ts";

/** The first page of a database of this format. */
function databaseBytes(format = 0): Buffer {
  const page = Buffer.alloc(4096);
  page.write("SQLite format 3\0", "latin1");
  page.writeUInt32BE(format, 60);
  return page;
}

const garbage = Buffer.alloc(4096, 0xa5);

function healthOf(...checks: HealthCheck[]): { health: Health; lines: string[] } {
  const lines: string[] = [];
  const health = new Health(checks, (level, data) => void lines.push(`${level}: ${String(data)}`));
  onTestFinished(() => health.stop());
  return { health, lines };
}

async function readiness(health: Health): Promise<unknown> {
  await health.check();
  return health.readiness;
}

test("shows a store that is overwritten with garbage, once when it begins and once when it ends", async () => {
  await using folder = tempFolder({});
  const file = folder.at("a.db");
  const { health, lines } = healthOf(...storeChecks([{ file }]));
  expect(await readiness(health)).toEqual([200, "ok"]);
  writeFileSync(file, databaseBytes());
  expect(await readiness(health)).toEqual([200, "ok"]);
  writeFileSync(file, garbage);
  for (let time = 0; time < 2; time++) expect(await readiness(health)).toEqual([503, "failing: store"]);
  expect(health.gauges).toContainEqual(expect.objectContaining({ name: "oarlock_healthy", labels: '{check="store"}', value: 0 }));
  writeFileSync(file, databaseBytes());
  expect(await readiness(health)).toEqual([200, "ok"]);
  const name = JSON.stringify(file);
  expect(lines).toEqual([
    `error: Health: store ${name} is damaged. Stop the server and restore a backup.`,
    "notice: Health: store is well again.",
  ]);
});

test("shows a store that calls have found damaged, and stays ready for other memories than those of some callers", async () => {
  await using folder = tempFolder({});
  const [file, other, third] = ["a.db", "a.user-1.db", "a.user-2.db"].map((name) => folder.at(name)) as [string, string, string];
  writeFileSync(file, databaseBytes());
  const lines: string[] = [];
  const faults = new StoreFaults((level, data) => void lines.push(`${level}: ${String(data)}`));
  const { health, lines: own } = healthOf(...storeChecks([{ file }], faults));
  for (let call = 0; call < 2; call++) faults.report(other, "damaged");
  // A call that reads intact pages does not end damage.
  faults.report(other, undefined);
  expect(await readiness(health)).toEqual([200, "degraded: content"]);
  faults.report(third, "moved");
  await health.check();
  const name = (path: string): string => JSON.stringify(path);
  expect(lines).toEqual([
    `error: Database ${name(other)} is damaged. Stop the server and restore a backup. Calls that need it fail.`,
    `error: Database ${name(third)} was moved, deleted or replaced while the server runs. Put the file back, or restore a backup and restart the server. If it was deleted on purpose, only restart it. Calls that need it fail.`,
  ]);
  expect(new Metrics().text(health.gauges)).toContain(
    '# TYPE oarlock_store_faults_total counter\noarlock_store_faults_total{kind="damaged"} 1\noarlock_store_faults_total{kind="moved"} 1\n',
  );
  faults.report(file, "damaged", true);
  expect(await readiness(health)).toEqual([503, "failing: store, content"]);
  expect(own).toEqual([`error: Health: store ${name(file)} is damaged. Stop the server and restore a backup.`]);
  expect(lines).toHaveLength(2);
});

test("stays degraded until the moved file of a user is back, which has no second line in the log", async () => {
  await using folder = tempFolder({});
  const lines: unknown[] = [];
  const faults = new StoreFaults((_level, data) => void lines.push(data));
  const { health } = healthOf(...storeChecks([{ file: folder.at("a.db") }], faults));
  for (const _time of [1, 2]) {
    faults.report(folder.at("a.user-1.db"), "moved");
    expect(await readiness(health)).toEqual([200, "degraded: content"]);
    faults.report(folder.at("a.user-1.db"), undefined);
    expect(await readiness(health)).toEqual([200, "ok"]);
  }
  expect(lines).toHaveLength(1);
});

test("shows a store that a folder has replaced, in one line of the log", async () => {
  await using folder = tempFolder({});
  const file = folder.at("a.db");
  writeFileSync(file, databaseBytes());
  const { health, lines } = healthOf(...storeChecks([{ file }]));
  await health.check();
  rmSync(file);
  mkdirSync(file);
  expect(await readiness(health)).toEqual([503, "failing: store"]);
  expect(lines).toEqual([
    `error: Health: store ${JSON.stringify(file)} is not a file: something else has its name. Remove it, and put the file back.`,
  ]);
});

test("shows a store that another database has replaced, only where the server keeps the old file open", async () => {
  await using folder = tempFolder({});
  const file = folder.at("a.db");
  writeFileSync(file, databaseBytes());
  const { health: keeping } = healthOf(...storeChecks([{ file, keepsFile: true }]));
  const { health: following } = healthOf(...storeChecks([{ file }]));
  await Promise.all([keeping.check(), following.check()]);
  writeFileSync(folder.at("other"), databaseBytes());
  renameSync(folder.at("other"), file);
  expect(await readiness(keeping)).toEqual([503, "failing: store"]);
  expect(await readiness(following)).toEqual([200, "ok"]);
});

test("shows a store that was cut or emptied", async () => {
  await using folder = tempFolder({});
  const file = folder.at("a.db");
  const pages = databaseBytes();
  pages.writeUInt16BE(4096, 16);
  pages.writeUInt32BE(2, 28);
  writeFileSync(file, Buffer.concat([pages, Buffer.alloc(4096)]));
  const { health, lines } = healthOf(...storeChecks([{ file }], undefined, 20));
  expect(await readiness(health)).toEqual([200, "ok"]);
  truncateSync(file, 5000);
  // Another program may be writing the rest.
  expect(await readiness(health)).toEqual([200, "ok"]);
  await expect.poll(() => readiness(health)).toEqual([503, "failing: store"]);
  truncateSync(file, 0);
  expect(await readiness(health)).toEqual([503, "failing: store"]);
  expect(lines).toEqual([`error: Health: store ${JSON.stringify(file)} is damaged. Stop the server and restore a backup.`]);
});

test("shows a store that has gone", async () => {
  await using folder = tempFolder({});
  const file = folder.at("a.db");
  const { health } = healthOf(...storeChecks([{ file }]));
  writeFileSync(file, databaseBytes());
  await health.check();
  rmSync(file);
  expect(await readiness(health)).toEqual([503, "failing: store"]);
});

test("leaves a store the locks that SQLite holds in the same process", needs("/proc"), async () => {
  await using folder = tempFolder({});
  const file = folder.at("a.db");
  using database = new DatabaseSync(file);
  database.exec("CREATE TABLE t (a); PRAGMA journal_mode = WAL; BEGIN IMMEDIATE; INSERT INTO t VALUES (1)");
  const locks = (): string[] =>
    readFileSync("/proc/locks", "utf8")
      .split("\n")
      .filter((line) => line.includes(` ${process.pid} `) && line.includes(`:${statSync(file).ino} `));
  expect(locks()).not.toEqual([]);
  const { health } = healthOf(...storeChecks([{ file }]));
  const before = locks().length;
  for (let time = 0; time < 2; time++) expect(await readiness(health)).toEqual([200, "ok"]);
  expect(locks()).toHaveLength(before);
});

test("shows a store that another file has replaced", async () => {
  await using folder = tempFolder({});
  const file = folder.at("a.db");
  writeFileSync(file, databaseBytes());
  const { health } = healthOf(...storeChecks([{ file }]));
  expect(await readiness(health)).toEqual([200, "ok"]);
  writeFileSync(folder.at("other"), garbage);
  renameSync(folder.at("other"), file);
  expect(await readiness(health)).toEqual([503, "failing: store"]);
});

test("shows a folder that the server may no longer write, only where it writes", needs("/proc"), async () => {
  // No user may create a file there, root neither.
  const file = "/proc/self/a.db";
  const disk = (write: boolean) => storeChecks([{ file, write }]).filter(({ name }) => name === "disk");
  const { health, lines } = healthOf(...disk(true));
  expect(await readiness(health)).toEqual([503, "failing: disk"]);
  expect(lines).toEqual([`error: Health: disk "${file}" is in a folder that this server may not write to. Give its user that right.`]);
  const { health: reading, lines: others } = healthOf(...disk(false));
  await reading.check();
  expect(others.join()).not.toContain("may not write");
});

test("measures the room beside the databases", async () => {
  await using folder = tempFolder({});
  const { health } = healthOf(...storeChecks([{ file: folder.at("a.db") }]));
  await health.check();
  const { bavail, bsize } = statfsSync(folder.path);
  const room = () => health.gauges.find(({ name }) => name === "oarlock_disk_free_bytes")?.value;
  expect(room()).toBeGreaterThan((bavail * bsize) / 2);
  rmSync(folder.path, { recursive: true });
  await health.check();
  expect(room()).toBeUndefined();
});

test("shows a store whose format is newer than the server reads", async () => {
  await using folder = tempFolder({});
  const file = folder.at("a.db");
  writeFileSync(file, databaseBytes(6));
  const { health, lines } = healthOf(...storeChecks([{ file, maxFormat: 5 }]));
  expect(await readiness(health)).toEqual([503, "failing: format"]);
  expect(lines[0]).toContain("has format 6, and this server reads up to format 5: a newer server has upgraded it. Update this server.");
});

test.each([
  [95, "200 ok"],
  [96, "503 failing: descriptors"],
])("shows descriptors that run out (%i of 100)", async (used, expected) => {
  const fds = Object.fromEntries(Array.from({ length: used }, (_, fd) => [`fd/${fd}`, ""]));
  await using folder = tempFolder({ limits: "Max open files            100                  4096                 files\n", ...fds });
  expect(((await readiness(healthOf(descriptorCheck(folder.path)).health)) as unknown[]).join(" ")).toBe(expected);
});

test("stays ready while the issuer or the engine, which all nodes share, is away", async () => {
  const issuer = createServer((_request, response) => void response.writeHead(404).end());
  const url = `http://127.0.0.1:${await listenOn(issuer)}`;
  expect(await readiness(healthOf(issuerCheck(url)).health)).toEqual([200, "ok"]);
  await closeServer(issuer);
  const engine = backplaneCheck({ get: () => Promise.reject(new Error("away")) });
  const { health, lines } = healthOf(issuerCheck(url), engine);
  expect(await readiness(health)).toEqual([200, "degraded: issuer, backplane"]);
  expect(lines[1] ?? lines[0]).toContain("cannot be reached: ECONNREFUSED");
  const { health: both } = healthOf(engine, { name: "store", problem: async () => "is damaged." });
  expect(await readiness(both)).toEqual([503, "failing: backplane, store"]);
});

test("counts a check that never ends, or throws, as a problem", async () => {
  const { health, lines } = healthOf(
    { name: "silent", problem: () => new Promise<never>(() => undefined) },
    { name: "broken", problem: () => Promise.reject(new Error("EIO")) },
  );
  expect(await readiness(health)).toEqual([503, "failing: silent, broken"]);
  expect(lines).toEqual(["error: Health: broken cannot be checked: EIO", "error: Health: silent does not answer within 1000 ms."]);
});
