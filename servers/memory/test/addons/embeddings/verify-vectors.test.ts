// verify on a file of vectors: each of them is of a text that the memory has, and has the length of the others.
import { writeFileSync } from "node:fs";
import { tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { VectorFile } from "../../../src/addons/embeddings/vectors/vector-file.ts";
import { verifyVectors } from "../../../src/addons/embeddings/vectors/verify-vectors.ts";

const PROGRESS = { memory: "m", model: "x", dimensions: 3, seq: 0, at: 0, purged: 0, entity: 0, observation: 0, turn: 0 };

function fill(path: string): void {
  const file = VectorFile.open(path);
  file.change(() => file.setProgress(PROGRESS));
  file.insertVectors([
    { id: 1, entity: 1, vector: Float32Array.of(1, 0, 0) },
    { id: -1, entity: 1, vector: Float32Array.of(0, 1, 0) },
    { id: 2, entity: 1, vector: Float32Array.of(0, 1) },
  ]);
  file.close();
}

test("finds vectors of purged texts and of another length", async () => {
  await using folder = tempFolder();
  const path = folder.at("m.vectors");
  fill(path);
  const problems = [...verifyVectors(path, (id) => id !== -1)].map((problem) => problem.replace(path, "FILE"));
  const remedy = "Delete FILE while no server runs: it is made anew";
  expect(problems).toEqual([
    `vectors: 1 vector of another length than 3. ${remedy}`,
    `vectors: 1 vector of texts that the memory does not have. ${remedy}`,
  ]);
});

test("finds nothing wrong in an empty file, and names one without a database", async () => {
  await using folder = tempFolder({ "empty.vectors": "" });
  expect([...verifyVectors(folder.at("empty.vectors"), () => true)]).toEqual([]);
  writeFileSync(folder.at("m.vectors"), "x".repeat(5000));
  expect([...verifyVectors(folder.at("m.vectors"), () => true)]).toEqual([expect.stringMatching(/^vectors not readable: .*database/)]);
});
