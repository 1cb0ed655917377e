// Where names, types and observations stand in the two indexes: in bands one after another, each turned round, so that reading on
// gives names before types before observations, and the newest of each first.

export type Kind = "name" | "type" | "observation";

const END: Readonly<Record<Kind, bigint>> = { name: 1n << 40n, type: 1n << 41n, observation: 1n << 42n };
const BAND = 1n << 40n;

export const placeOf = (kind: Kind, id: number): bigint => END[kind] - BigInt(id);

export const idAt = (kind: Kind, place: number): number => Number(END[kind]) - place;

/** The places of a kind: from, up to and without. */
export const bandOf = (kind: Kind): readonly [from: bigint, to: bigint] => [
  kind === "observation" ? 1n << 41n : kind === "type" ? BAND : 0n,
  END[kind],
];
