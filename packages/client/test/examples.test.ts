// The example of a proxy: tools, schemas and results of the server behind, as they are.
import { defineServer, EncodedJson, fromJsonSchema, linkMemory, text, tool, type Json } from "@oarlock/server-kit";
import { expect, test } from "vitest";
import { connect } from "@oarlock/client";
import { createProxy } from "../examples/proxy.ts";

const tree = { type: "object", $defs: { node: { type: "object", properties: { next: { $ref: "#/$defs/node" } } } }, $ref: "#/$defs/node" };

const behind = defineServer({
  name: "behind",
  version: "1",
  tools: [
    tool({
      name: "report",
      description: "Reports.",
      strictHosts: false,
      input: fromJsonSchema<Json>(tree, () => undefined),
      output: fromJsonSchema<Json>({ type: "object" }, () => undefined),
      hints: { readOnly: true },
      run: () => ({ content: [{ ...text("n is 1"), _meta: { "com.example/a": 1 } }], structured: { n: 1 }, _meta: { "com.example/b": 2 } }),
    }),
    tool({ name: "fail", run: () => ({ content: [text("no")], isError: true, structured: new EncodedJson('{"why":"no"}') }) }),
    tool({
      name: "wait",
      run: (_input, { signal, progress }) => {
        progress(1, 2, "half");
        return new Promise<string>((resolve) => signal.addEventListener("abort", () => resolve("stopped")));
      },
    }),
  ],
});

test("proxy.ts passes lists, results, errors, progress and cancellation on", async () => {
  const direct = await connect(linkMemory(behind));
  await using client = await connect(linkMemory(await createProxy(direct)));
  expect(await client.tools().all()).toEqual(await direct.tools().all());
  for (const name of ["report", "fail"]) expect(await client.call(name)).toEqual(await direct.call(name));
  const cancel = new AbortController();
  const progress: unknown[] = [];
  const waiting = client.call(
    "wait",
    {},
    { signal: cancel.signal, onProgress: (one) => (progress.push(one), cancel.abort(new Error("enough"))) },
  );
  await expect(waiting).rejects.toThrow("enough");
  expect(progress).toEqual([{ progress: 1, total: 2, message: "half" }]);
  await direct.close();
});
