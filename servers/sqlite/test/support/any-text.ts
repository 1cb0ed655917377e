// Texts of any characters for properties. `fc.string({ unit: "binary" })` takes more than a second of processor time to set up.
import * as fc from "fast-check";

/** Without lone surrogates, from the code point `min` on. */
export const anyText = (min = 0): fc.Arbitrary<string> =>
  fc.string({
    unit: fc
      .integer({ min, max: 0x10ffff })
      .filter((point) => point < 0xd800 || point > 0xdfff)
      .map((point) => String.fromCodePoint(point)),
  });
