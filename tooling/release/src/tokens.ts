/** How many tokens a model reads, by a vocabulary that comes with a package. */
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";

export const ENCODING = "o200k_base";

/** As hosts hand it on: JSON without blanks. */
export const tokensOf = (value: unknown): string => inThousands(countTokens(JSON.stringify(value)));

export const bytesOf = (value: unknown): string => inThousands(Buffer.byteLength(JSON.stringify(value)));

const inThousands = (value: number): string => value.toLocaleString("en");
