// --audit: what its lines hold, and what cannot forge one.
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { reportChange, systemNameCalls } from "@oarlock/domain-kit";
import { AuditFile } from "../src/operations/audit-file.ts";
import { auditObserver } from "../src/operations/audit.ts";
import { defineServer, tool, type ObservedRequest, type RequestEnd } from "@oarlock/server-kit";
import { auditLines } from "./support/audit-lines.ts";
import { run, Sample } from "./support/sample-in-memory.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "oarlock-audit-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const server = defineServer({
  name: "s",
  version: "1",
  tools: [
    tool({ name: "write", run: () => "" }),
    tool({ name: "save", input: z.object({ path: z.string(), paths: z.array(z.string()) }), run: () => "" }),
    tool({ name: "read", hints: { readOnly: true }, run: () => "" }),
  ],
});

const SUCCESS: RequestEnd = { outcome: "success" };

const REQUEST: ObservedRequest = {
  id: 1,
  method: "tools/call",
  target: "write",
  meta: undefined,
  revision: "2026-07-28",
  transport: "pipe",
};
const FILLERS = Array.from({ length: 5000 }, (_, at) => `filler ${at}`);

/** The lines that these requests leave. */
function linesOf(...requests: readonly (readonly [Partial<ObservedRequest>, RequestEnd?])[]): Record<string, unknown>[] {
  const path = join(folder, "audit.jsonl");
  const warnings: string[] = [];
  const observer = auditObserver({ path, server, warn: (message) => warnings.push(message) });
  for (const [request, end = SUCCESS] of requests) observer.requestStarted({ ...REQUEST, ...request })?.ended(end);
  observer.stop();
  expect(warnings).toEqual([]);
  return auditLines(path);
}

const withArguments = (args: unknown): Partial<ObservedRequest> => ({ params: { name: "write", arguments: args } });

test("writes a line with caller, tool and outcome for a changing call, and none for others", () => {
  const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  const request = { ...withArguments({ path: "/a", content: "secret" }), principal: "ada", client: "cursor", meta: { traceparent } };
  const lines = linesOf(
    [request],
    [{ target: "read" }],
    [{ target: undefined }],
    [{ method: "prompts/get" }],
    [{ method: "resources/read" }],
  );
  expect(lines).toEqual([
    {
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      tool: "write",
      outcome: "done",
      touched: ["/a"],
      principal: "ada",
      client: "cursor",
      transport: "pipe",
      request: "1",
      trace: "0af7651916cd43dd8448eb211c80319c",
    },
  ]);
});

test.each<[RequestEnd, object]>([
  [{ outcome: "tool-error" }, { outcome: "failed" }],
  [
    { outcome: "error", code: -32602, message: "secret" },
    { outcome: "refused", code: -32602 },
  ],
  [{ outcome: "cancelled" }, { outcome: "cancelled" }],
  [{ outcome: "input-required" }, { outcome: "asked" }],
])("names the outcome %j", (end, line) => {
  expect(linesOf([{}, end])).toMatchObject([line]);
  expect(readFileSync(join(folder, "audit.jsonl"), "utf8")).not.toContain("secret");
});

test.each([
  ["https://me:hunter2@git.example/x.git", "https://***@git.example/x.git"],
  ["me@git.example:x.git", "***@git.example:x.git"],
  ["ext::ssh://me@git.example/x", "ext::ssh://***@git.example/x"],
  [`https://me:${"hunter2".repeat(100)}@git.example/x.git`, "https://***@git.example/x.git"],
])("writes a URL in place of a name without user info: %s", (remote, written) => {
  const [line] = linesOf([withArguments({ remote, branch: "main" })]);
  expect(line?.["touched"]).toEqual([written, "main"]);
  expect(line).not.toHaveProperty("more");
});

test.each([
  ["r/x://../victim.txt", "r/victim.txt"],
  ["x://../victim.txt", "victim.txt"],
  ["a@b:c/../victim.txt", "victim.txt"],
  ["r/password=x/../victim.txt", "r/victim.txt"],
  ["r/password=x/victim.txt", "r/password=***/victim.txt"],
  ["r/::a@victim.txt", "r/::***@victim.txt"],
  [`r/x://${"../r/".repeat(2000)}victim.txt`, expect.stringContaining("victim.txt")],
])("shows the file of a path that looks like a URL or a secret: %s", (path, written) => {
  expect(linesOf([withArguments({ path })])[0]?.["touched"]).toContainEqual(written);
});

test.each(["pa_th", "P-A-T-H", "pAth", "pa.th"])("finds an argument that is spelled %s as the tool does", (key) => {
  expect(linesOf([{ ...withArguments({ [key]: "victim.txt" }), target: "save" }])[0]?.["touched"]).toEqual(["victim.txt"]);
});

test("lists changes of a call first, and only its own", async () => {
  const path = join(folder, "audit.jsonl");
  const audit = auditObserver({ path, server, warn: () => undefined });
  const calls = ["mine", "hers"].map((name) => {
    const observation = audit.requestStarted({ ...REQUEST, ...withArguments({ path: name, names: FILLERS }), target: "save" });
    const work = async (): Promise<void> => {
      await Promise.resolve();
      reportChange([`/real/${name}`, `/password=${name}/b`]);
    };
    return { observation, done: observation?.run(work) };
  });
  for (const { observation, done } of calls) {
    await done;
    observation?.ended(SUCCESS);
  }
  reportChange(["nobody's"]);
  audit.stop();
  const touched = auditLines(path).map((line) => (line["touched"] as string[]).slice(0, 3));
  expect(touched).toEqual([
    ["/real/mine", "/password=***/b", "mine"],
    ["/real/hers", "/password=***/b", "hers"],
  ]);
});

test("distinguishes long paths that differ in the middle, without the secrets in them", () => {
  const path = join(folder, "audit.jsonl");
  const audit = auditObserver({ path, server, warn: () => undefined });
  const paths = ["a", "b"].map((middle) => `/${"folder/".repeat(200)}${middle}/token=x/${"folder/".repeat(200)}f`);
  const observation = audit.requestStarted({ ...REQUEST, ...withArguments({ path: paths[1] }) });
  observation?.run(() => reportChange(paths));
  observation?.ended(SUCCESS);
  audit.stop();
  expect(auditLines(path)[0]?.["touched"]).toEqual(paths.map((whole) => whole.replace("token=x", "token=***")));
});

test("keeps changed names despite many arguments without effect", () => {
  const fillers = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`f${at}`, at]));
  const request = {
    ...withArguments({ ...fillers, names: FILLERS, files: FILLERS, Path: "victim.txt", paths: ["b.txt"] }),
    target: "save",
  };
  const [line] = linesOf([request]);
  expect((line?.["touched"] as string[] | undefined)?.slice(0, 2)).toEqual(["victim.txt", "b.txt"]);
  expect(line?.["more"]).toBe(5002 - 1000);
});

test("replaces a token in place of a name", () => {
  expect(linesOf([withArguments({ remote: `ghp_${"a".repeat(36)}`, branch: "user/ada@2x" })])).toMatchObject([
    { touched: ["***", "user/ada@2x"] },
  ]);
});

test.each(["x".repeat(55), `00-\u202e${"a".repeat(31)}-b7ad6b7169203331-01`, `00-${"0".repeat(32)}-b7ad6b7169203331-01`])(
  "writes no trace id for an invalid traceparent: %j",
  (traceparent) => {
    expect(linesOf([{ meta: { traceparent } }])[0]).not.toHaveProperty("trace");
  },
);

test.each(["/root/./././", "/root//"])("keeps the beginning and the end of a long path: %s", (padding) => {
  const path = `${padding}${"./".repeat(400)}${"folder/".repeat(1000)}payroll.csv${"/.".repeat(2000)}`;
  const [line] = linesOf([withArguments({ path })]);
  expect(line?.["touched"]).toEqual([expect.stringMatching(/^\/root\/folder\/.*….*\/payroll\.csv\/?$/)]);
});

test("finds the first thousand names in nested arguments, counts the others, and writes no contents", () => {
  const entities = Array.from({ length: 1010 }, (_, at) => ({ name: `e${at}`, observations: ["secret"], entityType: "t" }));
  const [line] = linesOf([withArguments({ entities, query: "secret", content: "secret", edits: [{ oldText: "secret" }] })]);
  expect(line?.["touched"]).toHaveLength(1000);
  expect(line?.["more"]).toBe(11); // ten entities and their type
  expect(JSON.stringify(line)).not.toContain("secret");
});

test.each(['a"}\n{"tool":"forged"}', "a\r\n\u2028\u2029b", "\u202efdp\u061c.exe", "\u001b[2J\u0000", "x".repeat(5_000_000)])(
  "writes one short line for a hostile name: %#",
  (path) => {
    const lines = linesOf([{ ...withArguments({ path }), principal: path, client: path, id: path }]);
    expect(lines).toHaveLength(1);
    const text = readFileSync(join(folder, "audit.jsonl"), "utf8");
    expect(text.length).toBeLessThan(6000);
    expect(text.slice(0, -1)).not.toMatch(/[\u2028\u2029\u202e\u061c]/);
    const { touched } = JSON.parse(text) as { touched: string[] };
    if (path.length < 200) expect(touched).toEqual([path]);
  },
);

test("rotates a full file, and keeps the newest five", () => {
  const path = join(folder, "a.jsonl");
  const file = new AuditFile(path, { maxBytes: 100, warn: expect.fail });
  for (let at = 0; at < 40; at++) file.append(JSON.stringify({ at, text: "x".repeat(60) }));
  const old = readdirSync(folder).filter((name) => name !== "a.jsonl");
  expect(old).toHaveLength(5);
  expect(readFileSync(path, "utf8")).toContain('"at":39');
  expect(statSync(path).size).toBeLessThan(300);
});

test("keeps a file of less than 10 MiB", () => {
  const path = join(folder, "a.jsonl");
  const file = new AuditFile(path, { warn: expect.fail });
  truncateSync(path, 10 * 1024 * 1024 - 1);
  file.append("{}");
  expect(readdirSync(folder)).toEqual(["a.jsonl"]);
  file.append("{}");
  expect(readdirSync(folder)).toHaveLength(2);
});

test("writes every line to a file that cannot be rotated, and one warning", () => {
  const path = join(folder, "x".repeat(240)); // with the time behind it, the name is too long
  const warnings: string[] = [];
  const file = new AuditFile(path, { maxBytes: 100, warn: (message) => warnings.push(message) });
  for (let at = 0; at < 10; at++) file.append(JSON.stringify({ at, text: "x".repeat(60) }));
  expect(auditLines(path)).toHaveLength(10);
  expect(warnings).toEqual([
    expect.stringMatching(/cannot be rotated \(ENAMETOOLONG\): it grows beyond 10 MB\. Give this user the right to write to its folder\.$/),
  ]);
});

test("rotates a file that another program has open on Windows by a later line, without a warning at first", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const path = join(folder, "a.jsonl");
  const warnings: string[] = [];
  let isOpen = true;
  const rename = (from: string, to: string): void => {
    if (isOpen) throw Object.assign(new Error("EBUSY"), { code: "EBUSY" });
    renameSync(from, to);
  };
  const calls = { ...systemNameCalls, platform: "win32", rename } as const;
  const file = new AuditFile(path, { maxBytes: 1, calls, warn: (message) => warnings.push(message) });
  for (const at of [1, 2, 3]) file.append(JSON.stringify({ at }));
  expect([warnings, readdirSync(folder)]).toEqual([[], ["a.jsonl"]]);
  vi.advanceTimersByTime(2000);
  file.append("{}");
  expect(warnings).toEqual([expect.stringContaining("cannot be rotated (EBUSY)")]);
  isOpen = false;
  file.append("{}");
  expect(readdirSync(folder)).toHaveLength(2);
  expect(auditLines(path)).toHaveLength(1);
});

test("begins a new line after one that was written in part", () => {
  const path = join(folder, "a.jsonl");
  writeFileSync(path, '{"time":');
  const file = new AuditFile(path, { warn: expect.fail });
  for (const at of [1, 2]) file.append(JSON.stringify({ at }));
  expect(readFileSync(path, "utf8")).toBe('{"time":\n{"at":1}\n{"at":2}\n');
});

test("starts despite an unreadable file of its user", async () => {
  const path = join(folder, "a.jsonl");
  writeFileSync(path, "", { mode: 0o200 });
  expect(await run([`--audit=${path}`])).toMatchObject({ code: 0, stderr: expect.not.stringContaining("a.jsonl") });
});

test("says at the start that no call is audited with --read-only", async () => {
  const { stderr } = await run(["--audit", join(folder, "none.jsonl"), "--read-only"]);
  expect(stderr).toContain("--audit has no effect with --read-only");
});

test("writes lines for the calls of a server, in a file of its user only", async () => {
  const path = join(folder, "audit.jsonl");
  const sample = new Sample([`--audit=${path}`]);
  await sample.handshake();
  for (const name of ["change", "fetch", "unhinted"]) await sample.request("tools/call", { name });
  await sample.end();
  if (process.platform !== "win32") expect(statSync(path).mode & 0o777).toBe(0o600);
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { tool: "change", outcome: "done", client: "test", transport: "pipe" },
    { tool: "unhinted", outcome: "done" },
  ]);
});

test("writes the line of a task when it ends, with its outcome", async () => {
  const path = join(folder, "audit.jsonl");
  const sample = new Sample([`--audit=${path}`]);
  await sample.handshake();
  const begin = async (ms: number): Promise<string> => {
    const { result } = await sample.request("tools/call", { name: "change_slowly", arguments: { ms }, task: {} });
    expect(result).toMatchObject({ task: { status: "working" } });
    return (result as { task: { taskId: string } }).task.taskId;
  };
  const taskId = await begin(600_000);
  expect(auditLines(path)).toEqual([]);
  await sample.request("tasks/cancel", { taskId });
  await expect.poll(() => auditLines(path)).toMatchObject([{ tool: "change_slowly", outcome: "cancelled" }]);
  await sample.request("tasks/result", { taskId: await begin(1) });
  expect(auditLines(path)).toMatchObject([{ outcome: "cancelled" }, { outcome: "failed" }]);
  await begin(600_000);
  await sample.end();
  expect(auditLines(path)).toMatchObject([{ outcome: "cancelled" }, { outcome: "failed" }, { outcome: "cancelled" }]);
});

test("refuses to start with an unwritable file, in one sentence", async () => {
  writeFileSync(join(folder, "file"), "");
  const { code, stderr } = await run([`--audit=${join(folder, "file", "audit.jsonl")}`]);
  expect([code, stderr]).toEqual([
    3,
    expect.stringMatching(/Audit file .* cannot be written \(ENOTDIR\)\. Name a file in a writable folder/),
  ]);
});
