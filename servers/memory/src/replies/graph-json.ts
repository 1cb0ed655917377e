// A page of the graph as a reply says it: indented JSON, encoded once more to stand inside a JSON text. Both at once, as a page
// is a quarter of a megabyte: one after the other they take twice as long.
import type { Relation } from "../graph/model.ts";
import type { ShownEntity } from "../graph/read/page-builder.ts";
import { isPlain } from "../graph/read/json-size.ts";

const entity = ({ name, entityType, observations, observationCount }: ShownEntity): string =>
  `{\\n      \\"name\\": ${said(name)},\\n      \\"entityType\\": ${said(entityType)},\\n      \\"observations\\": ${list(observations, 8, said)}${observationCount === undefined ? "" : `,\\n      \\"observationCount\\": ${observationCount}`}\\n    }`;

const relation = ({ from, to, relationType }: Relation): string =>
  `{\\n      \\"from\\": ${said(from)},\\n      \\"to\\": ${said(to)},\\n      \\"relationType\\": ${said(relationType)}\\n    }`;

const said = (text: string): string => (isPlain(text) ? `\\"${text}\\"` : JSON.stringify(JSON.stringify(text)).slice(1, -1));

function list<T>(items: readonly T[], indent: number, write: (item: T) => string): string {
  if (items.length === 0) return "[]";
  const line = `\\n${" ".repeat(indent)}`;
  let text = "";
  for (const item of items) text += `${text === "" ? "[" : ","}${line}${write(item)}`;
  return `${text}${line.slice(0, -2)}]`;
}

/** The same as `JSON.stringify({ entities, relations }, null, 2)`, encoded. */
export const graphText = (entities: readonly ShownEntity[], relations: readonly Relation[]): string =>
  `"{\\n  \\"entities\\": ${list(entities, 4, entity)},\\n  \\"relations\\": ${list(relations, 4, relation)}\\n}"`;
