// Row ids in the text indexes. Names, types and observations each have a band of ids, in which ids are reversed: a scan in ascending
// order gives names before types before observations, and the newest of each first.

import type { TextKind } from "../rows/texts.ts";

export type { TextKind };

const BAND_END: Readonly<Record<TextKind, bigint>> = { name: 1n << 40n, type: 1n << 41n, observation: 1n << 42n };
const BAND_START: Readonly<Record<TextKind, bigint>> = { name: 0n, type: 1n << 40n, observation: 1n << 41n };

export const positionOf = (kind: TextKind, id: number): bigint => BAND_END[kind] - BigInt(id);

export const idAt = (kind: TextKind, position: number): number => Number(BAND_END[kind]) - position;

/** The positions of a kind; the end is exclusive. */
export const bandOf = (kind: TextKind): readonly [start: bigint, end: bigint] => [BAND_START[kind], BAND_END[kind]];
