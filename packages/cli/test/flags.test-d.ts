/** What the options of a server are, by its flags. */
import { expectTypeOf, test } from "vitest";
import type { Flags, OptionsOf } from "../src/index.ts";

const flags = {
  deny: { type: "list", value: "GLOB", help: "" },
  allowDelete: { type: "boolean", help: "" },
  roots: { type: "choice", choices: ["narrow", "ignore"], default: "narrow", help: "" },
  mode: { type: "choice", choices: ["a", "b"], help: "" },
  maxBytes: { type: "count", value: "N", help: "" },
  store: { type: "path", value: "FILE", default: "x", help: "" },
} satisfies Flags;

test("infers types of options from flags", () => {
  expectTypeOf<Pick<OptionsOf<typeof flags>, keyof typeof flags>>().toEqualTypeOf<{
    readonly deny: readonly string[];
    readonly allowDelete: boolean;
    readonly roots: "narrow" | "ignore";
    readonly mode: "a" | "b" | undefined;
    readonly maxBytes: number | undefined;
    readonly store: string;
  }>();
  expectTypeOf<OptionsOf<typeof flags>["readOnly"]>().toEqualTypeOf<boolean>();
  expectTypeOf<OptionsOf<typeof flags>["maxResultBytes"]>().toEqualTypeOf<number>();
});

test("requires choices for a choice, and a description for its help", () => {
  // @ts-expect-error choices are missing
  void ({ roots: { type: "choice", help: "" } } satisfies Flags);
  // @ts-expect-error help is missing
  void ({ quick: { type: "boolean" } } satisfies Flags);
});
