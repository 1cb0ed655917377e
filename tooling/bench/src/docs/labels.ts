/** Readable names of figures and servers. */
import type { RowResult } from "../table/result.ts";

const UNITS: readonly [RegExp, string][] = [
  [/ server cpu us$/, ", CPU of the server in µs"],
  [/ p50 us$/, ", median in µs"],
  [/ us$/, " in µs"],
  [/ ms$/, " in ms"],
  [/ rps$/, ", requests a second"],
];

/** A figure with its unit spelled out. */
export function figureOf(figure: string): string {
  const unit = UNITS.find(([pattern]) => pattern.test(figure));
  const words = unit === undefined ? figure : figure.replace(unit[0], unit[1]);
  return words.replace(/\bx(\d+)\b/, "$1 in flight").replace(/\bc(\d+)\b/, "$1 connections");
}

/** Includes the server unless its group names it. */
export function labelOf({ suite, figure, of, floor }: RowResult): string {
  const server = /^ours-(filesystem|git|sqlite|memory)$/.exec(of)?.[1];
  const who =
    suite === "start"
      ? `${server ?? "echo"}: `
      : of.endsWith("-lean")
        ? "--lean: "
        : floor?.target === "fs-floor-twice"
          ? "text twice: "
          : "";
  const what = of.endsWith("-package") ? `${of.replace("-package", "")}: ` : "";
  return `${suite === "stdio-modern" ? "modern: " : ""}${who}${what}${figureOf(figure)}`;
}
