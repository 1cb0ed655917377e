// doctor as a process, with entries of hosts.
import { writeFileSync } from "node:fs";
import { doctorFailures } from "@oarlock-tooling/test-support/doctor";
import { tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { bin } from "./support/targets.ts";

test("names damaged lines with exit code 1", async () => {
  await using folder = tempFolder({ "bad.jsonl": "nonsense\n" });
  const checks = await doctorFailures(bin(["doctor", "--json", "--db", folder.at("bad.jsonl")]));
  expect(checks).toMatchObject([{ message: expect.stringContaining("line 1 (not JSON)") }]);
});

test("quotes the path, the reason and the remedy of a start that fails, from the entry of a host", async () => {
  await using folder = tempFolder({ ".cursor": {} });
  const key = folder.at("missing/key");
  const entry = bin(["--embeddings", "http://127.0.0.1:1/v1/embeddings", "--embeddings-model", "m"], { OARLOCK_EMBEDDINGS_KEY_FILE: key });
  writeFileSync(folder.at(".cursor/mcp.json"), JSON.stringify({ mcpServers: { "oarlock-memory": entry } }));
  expect(await doctorFailures(bin(["doctor", "--json", "--db", folder.at("new.db")], { HOME: folder.path }))).toMatchObject([
    { name: "host Cursor", message: expect.stringContaining(key) },
  ]);
});

test("does not call an entry broken that cannot start read-only", async () => {
  await using folder = tempFolder({ ".cursor": {}, notes: {} });
  const entry = bin(["--db", folder.at("new.db"), "--mirror", folder.at("notes")]);
  writeFileSync(folder.at(".cursor/mcp.json"), JSON.stringify({ mcpServers: { "oarlock-memory": entry } }));
  expect(await doctorFailures(bin(["doctor", "--json", "--db", folder.at("new.db")], { HOME: folder.path }))).toEqual([]);
});
