// --audit, on real processes: several that rotate one file, a full disk, and a crash.
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { needs } from "../../testing/src/checks/needs.ts";
import { auditLines } from "./support/audit-lines.ts";
import { Sample, SERVER } from "./support/sample-process.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "oarlock-audit-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("loses no line when processes rotate one file concurrently", async () => {
  const source = new URL("../src/operations/audit-file.ts", import.meta.url).href;
  const script = `import { AuditFile } from ${JSON.stringify(source)};
    const file = new AuditFile(process.argv[1], { maxBytes: 1, warn: (message) => { throw new Error(message); } });
    for (let at = 0; at < 500; at++) file.append("{}");`;
  const args = ["--input-type=module", "--eval", script, join(folder, "a.jsonl")];
  const samples = [1, 2, 3].map(() => new Sample(args, {}, process.execPath, []));
  for (const { ended } of samples) expect(await ended).toMatchObject({ code: 0, stderr: "" });
});

test("warns of a line that fits only in part", needs("POSIX"), async () => {
  const path = join(folder, "a.jsonl");
  writeFileSync(path, `${"x".repeat(1000)}\n`);
  const shell = ["-c", 'ulimit -f 1; exec "$0" "$@"', process.execPath, SERVER, `--audit=${path}`];
  const sample = await new Sample(shell, {}, "bash", []).handshake(); // of bash, a block has 1,024 bytes
  await sample.request("tools/call", { name: "change" });
  expect((await sample.end()).stderr).toMatch(/Warning: A call is missing in the audit file: EFBIG/);
  expect(statSync(path).size).toBe(1024);
});

test("writes the lines of tasks in a process that crashes", async () => {
  const path = join(folder, "audit.jsonl");
  const sample = new Sample([`--audit=${path}`]);
  await sample.handshake();
  await sample.request("tools/call", { name: "change_slowly", arguments: { ms: 600_000 }, task: {} });
  sample.send("tools/call", { name: "throw_later" });
  expect((await sample.ended).code).toBe(1);
  expect(auditLines(path)).toMatchObject([{ tool: "throw_later" }, { tool: "change_slowly", outcome: "cancelled" }]);
});
