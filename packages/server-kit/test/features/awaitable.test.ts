// Going on with what may be a promise.
import { describe, expect, test } from "vitest";
import { chain, isPromise } from "../../src/features/awaitable.ts";

test("continues a plain value synchronously, and a promise later", async () => {
  expect(chain(1, (one) => one + 1)).toBe(2);
  const later = chain(Promise.resolve(1), (one) => one + 1);
  expect(later).toBeInstanceOf(Promise);
  expect(await later).toBe(2);
  expect(await chain(1, (one) => Promise.resolve(one + 1))).toBe(2);
});

test("throws an exception of `next` at once, or rejects", async () => {
  const angry = (): never => {
    throw new Error("angry");
  };
  expect(() => chain(1, angry)).toThrow("angry");
  await expect(chain(Promise.resolve(1), angry)).rejects.toThrow("angry");
  await expect(chain(Promise.reject(new Error("first")), angry)).rejects.toThrow("first");
});

describe("foreign thenables", () => {
  /* eslint-disable unicorn/no-thenable */
  const minimal = { then: (resolve: (value: number) => void) => resolve(1) } as PromiseLike<number>;

  test("are promises even if `then` returns nothing", async () => {
    expect(await chain(minimal, (one) => one + 1)).toBe(2);
  });

  test("may throw or resolve twice", async () => {
    const angry = {
      then: () => {
        throw new Error("angry");
      },
    } as unknown as PromiseLike<number>;
    await expect(chain(angry, (one) => one)).rejects.toThrow("angry");
    let calls = 0;
    const twice = { then: (resolve: (value: number) => void) => (resolve(1), resolve(2)) } as unknown as PromiseLike<number>;
    expect(await chain(twice, (one) => (calls++, one))).toBe(1);
    expect(calls).toBe(1);
  });

  test("differ from other values", () => {
    expect([minimal, Promise.resolve()].map(isPromise)).toEqual([true, true]);
    expect([null, undefined, 1, {}, { then: 1 }, "then", [], () => undefined].map(isPromise)).toEqual(Array(8).fill(false));
  });
});
