/** Titles of tests, and those that a reader of one red line understands too late. */
import { parseAst } from "vitest/node";
import { isNode, visit, type Sources } from "./sources.ts";

/** Functions that register a test or a group of tests, by themselves or as `test.each(…)`. */
const REGISTERING = /^(?:test|it|describe|every\w+)$/;

/** Ids before the title: of cases, requirements and rules. */
const IDS = /^(?:(?:case )?[A-Z]+\w*-\d+\w*[:,]?\s+|K\d\s+)*/;

/** A subject that is a clause, and verbs that leave open who does what. */
const HARD = /^(?:what|those\s(?:that|who))\b|\b(?:is|are)\s(?:told|named|meant)\b/i;

export function titlesOf(text: string): string[] {
  const titles: string[] = [];
  visit(parseAst(text, { lang: "ts" }), ({ type, callee, arguments: args }) => {
    if (type !== "CallExpression" || !REGISTERING.test(rootOf(callee))) return;
    const title = Array.isArray(args) ? textIn(args[0]) : undefined;
    if (title !== undefined) titles.push(title);
  });
  return titles;
}

/** `path: title` of each title that begins with a clause. */
export const hardTitles = (sources: Sources): string[] =>
  Object.entries(sources).flatMap(([path, text]) =>
    titlesOf(text)
      .filter((title) => HARD.test(title.replace(IDS, "")))
      .map((title) => `${path}: ${title}`),
  );

/** `test` of `test.skipIf(x).each(y)("…")`. */
function rootOf(callee: unknown): string {
  if (!isNode(callee)) return "";
  return callee["type"] === "Identifier" ? String(callee["name"]) : rootOf(callee["object"] ?? callee["callee"] ?? callee["tag"]);
}

function textIn(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  if (node["type"] === "Literal" && typeof node["value"] === "string") return node["value"];
  const [first] = Array.isArray(node["quasis"]) ? (node["quasis"] as unknown[]) : [];
  return isNode(first) && isNode(first["value"]) ? String(first["value"]["cooked"]) : undefined;
}
