// open_nodes: entities by their names.
import { tool } from "@oarlock/server-kit";
import { after } from "../at-once.ts";
import { openNodes as open, type Opened } from "../graph/read/open-nodes.ts";
import { thoseThatFit, weighAny } from "../graph/read/json-size.ts";
import { roomFor, type Parts } from "../dependencies.ts";
import { reply } from "../replies/reply.ts";
import { count, detail, entities, object, optionalTexts, result, steps, text, texts, things, z } from "../schema.ts";

const BYTES = 1_000_000;

export const openNodes = (parts: Parts) =>
  tool({
    name: "open_nodes",
    title: "Open Nodes",
    description: "Read entities by name; asOf shows the past.",
    input: () =>
      object({
        names: texts("Names of entities"),
        depth: steps("Also what is this near", 3),
        relationTypes: optionalTexts("Only these relations"),
        asOf: z.optional(text("A time such as 2026-05-31")),
        maxObservations: count("Newest observations of each"),
        detail,
      }),
    output: () => result({ entities, relations: things, notFound: z.array(z.string()) }),
    hints: { readOnly: true, openWorld: false },
    run: (options) =>
      after(
        parts.memory.look((store) => open(store, { ...options, room: roomFor(parts, BYTES) })),
        (opened) => {
          const { entities, relations, notFound, omitted, omittedNear, omittedRelations, truncated } = opened;
          const named = thoseThatFit(notFound, roomFor(parts, BYTES) * 0.1, weighAny);
          const suggestions = named.filter(({ suggestions }) => suggestions.length > 0);
          return reply(
            { entities, relations },
            {
              entities,
              relations,
              notFound: named.map(({ name }) => name),
              ...(named.length < notFound.length && { notFoundCount: notFound.length, truncated: true }),
              ...(suggestions.length > 0 && {
                suggestions: Object.fromEntries(suggestions.map(({ name, suggestions }) => [name, suggestions])),
              }),
              ...(truncated && {
                truncated,
                omitted: thoseThatFit(omitted, roomFor(parts, BYTES) * 0.05, weighAny),
                omittedNear,
                omittedRelations,
              }),
            },
            notesOf(opened, named.length),
          );
        },
      ),
  });

function notesOf({ truncated, notFound, omitted, omittedNear, omittedRelations }: Opened, named: number): string[] {
  const notes = truncated ? ["Cut here: the reply is full."] : [];
  if (omitted.length > 0) notes.push(`${omitted.length} entities were left out; open fewer at a time, or with maxObservations.`);
  if (omittedNear > 0) notes.push(`${omittedNear} entities around them were left out; traverse_graph tells them.`);
  if (omittedRelations > 0) notes.push(`${omittedRelations} relations were left out; traverse_graph tells them.`);
  if (named < notFound.length) notes.push(`${notFound.length} names were not found, of which the first ${named} are listed.`);
  return notes;
}
