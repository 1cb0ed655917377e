// The formats of an export, piece by piece: JSONL as the reference server writes it, one JSON value, and a Graphviz drawing.
import { formatEntity, formatRelation, type TimedEntity } from "../graph/jsonl/records.ts";
import { toRelation, type RelationRow } from "../graph/rows/relations.ts";
import type { Format } from "./arguments.ts";

/** Unknown fields of the record in a JSONL file, as a JSON object. */
interface WithExtra {
  readonly extra: string | null;
}

export interface GraphFormat {
  readonly start: string;
  entity(entity: TimedEntity & WithExtra, isFirst: boolean): string;
  /** Between entities and relations. */
  readonly middle: string;
  relation(row: RelationRow, isFirst: boolean): string;
  /** A record of another program. */
  record?(line: string): string;
  readonly end: string;
}

export const GRAPH_FORMATS: Readonly<Record<Format, GraphFormat>> = {
  jsonl: {
    start: "",
    entity: (entity) => `${formatEntity(entity, entity.extra)}\n`,
    middle: "",
    relation: (row) => `${formatRelation(toRelation(row), row.extra)}\n`,
    record: (line) => `${line}\n`,
    end: "",
  },
  json: {
    start: '{"entities":[',
    entity: ({ name, entityType, observations }, isFirst) => `${separator(isFirst)}${JSON.stringify({ name, entityType, observations })}`,
    middle: '\n],"relations":[',
    relation: (row, isFirst) => `${separator(isFirst)}${JSON.stringify(toRelation(row))}`,
    end: "\n]}\n",
  },
  dot: {
    start: "digraph memory {\n",
    entity: ({ name, entityType }) => `  ${quoteDot(name)} [tooltip=${quoteDot(entityType)}];\n`,
    middle: "",
    relation: ({ source, target, type }) => `  ${quoteDot(source)} -> ${quoteDot(target)} [label=${quoteDot(type)}];\n`,
    end: "}\n",
  },
};

/** What an export has, in the order of its creation. */
export interface GraphContent {
  readonly entities: Each<TimedEntity & WithExtra>;
  readonly relations: Each<RelationRow>;
  /** Of other programs. */
  readonly records: readonly { readonly line: string }[];
}

type Each<T> = Iterable<T> | AsyncIterable<T>;

export async function* serialize(format: GraphFormat, { entities, relations, records }: GraphContent): AsyncGenerator<string> {
  yield format.start;
  let isFirst = true;
  for await (const entity of entities) {
    yield format.entity(entity, isFirst);
    isFirst = false;
  }
  yield format.middle;
  isFirst = true;
  for await (const row of relations) {
    yield format.relation(row, isFirst);
    isFirst = false;
  }
  for (const { line } of records) yield format.record?.(line) ?? "";
  yield format.end;
}

const separator = (isFirst: boolean): string => (isFirst ? "\n" : ",\n");

/** A quoted string of the DOT language, on one line. */
const quoteDot = (text: string): string =>
  `"${text
    .replaceAll("\\", "\\\\")
    .replaceAll('"', '\\"')
    .replaceAll(/[\r\n]+/g, "\\n")}"`;
