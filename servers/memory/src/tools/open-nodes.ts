// open_nodes: reads entities by name.
import { counted, takeWithin } from "@oarlock/domain-kit";
import { ui } from "@oarlock/extensions/apps";
import { tool } from "@oarlock/server-kit";
import { contentBytes, type Dependencies } from "../dependencies.ts";
import { estimateBytes } from "../graph/read/json-size.ts";
import { openNodes as open, type NotFound, type OpenedNodes } from "../graph/read/open-nodes.ts";
import { entityCount, listRemark, PAST, quoteName, pastRemark, recordedRemark, typesRemark } from "../replies/remarks.ts";
import { reply, type Notes } from "../replies/reply.ts";
import { count, detail, entities, object, objects, optionalTexts, result, steps, text, texts, z } from "../schema.ts";
import { graphView } from "../views.ts";

/** Of a reply whose caller gives a number of observations. */
const MAX_BYTES = 1_000_000;
/** Shares of the content. */
const NOT_FOUND_SHARE = 0.1;
const OMITTED_SHARE = 0.05;

export const openNodes = (deps: Dependencies) =>
  tool({
    name: "open_nodes",
    title: "Open Nodes",
    description: "Read entities by name; asOf shows the past.",
    input: () =>
      object({
        names: texts("Entity names"),
        depth: steps("Steps around", 3),
        relationTypes: optionalTexts("Only these"),
        asOf: z.optional(text("As 2026-05-31")),
        maxObservations: count("Newest facts"),
        detail,
      }),
    output: () => result({ entities, relations: objects, notFound: z.array(z.string()) }),
    hints: { readOnly: true, openWorld: false },
    extensions: [ui({ view: graphView })],
    async run(options) {
      const maxBytes = contentBytes(deps, options.maxObservations === undefined ? undefined : MAX_BYTES);
      const opened = await deps.memory.read((rows) => open(rows, { ...options, maxBytes }));
      const { entities, relations } = opened;
      return reply({ entities, relations }, toStructured(opened, maxBytes), toNotes(opened, maxBytes));
    },
  });

const listedNotFound = ({ notFound }: OpenedNodes, maxBytes: number) => takeWithin(notFound, maxBytes * NOT_FOUND_SHARE, estimateBytes);

function toStructured(opened: OpenedNodes, maxBytes: number) {
  const { entities, relations, recorded, notFound, past, renamed, knownSince, omitted, omittedNear, omittedRelations, truncated } = opened;
  const listed = listedNotFound(opened, maxBytes);
  const suggestions = listed.filter(({ suggestions }) => suggestions.length > 0);
  return {
    entities,
    relations,
    ...(recorded.length > 0 && { recorded }),
    notFound: listed.map(({ name }) => name),
    ...(past.length > 0 && { past: takeWithin(past, maxBytes * OMITTED_SHARE, estimateBytes) }),
    ...(renamed.length > 0 && { renamed: takeWithin(renamed, maxBytes * OMITTED_SHARE, estimateBytes) }),
    ...(knownSince.length > 0 && { knownSince: takeWithin(knownSince, maxBytes * OMITTED_SHARE, estimateBytes) }),
    ...(listed.length < notFound.length && { notFoundCount: notFound.length, truncated: true }),
    ...(suggestions.length > 0 && { suggestions: Object.fromEntries(suggestions.map(({ name, suggestions }) => [name, suggestions])) }),
    ...(truncated && {
      truncated,
      omitted: takeWithin(omitted, maxBytes * OMITTED_SHARE, estimateBytes),
      omittedNear,
      omittedRelations,
    }),
  };
}

function toNotes(opened: OpenedNodes, maxBytes: number): Notes {
  const { truncated, recorded, notFound, past, renamed, knownSince, omitted, omittedNear, omittedRelations, typesHere } = opened;
  const continuation = truncated ? ["Truncated: the reply is full."] : [];
  if (truncated && omitted.length === 0 && omittedNear + omittedRelations === 0)
    continuation.push("Older observations left out. Pass maxObservations to see more of them, or search_nodes for what you need.");
  if (omitted.length > 0) continuation.push(`${entityCount(omitted.length)} left out. Open fewer at a time, or use maxObservations.`);
  if (omittedNear > 0) continuation.push(`${entityCount(omittedNear)} around them left out. Use traverse_graph.`);
  if (omittedRelations > 0) continuation.push(`${counted(omittedRelations, "relation")} left out. Use traverse_graph.`);
  const quote = ({ name, suggestions, deleted }: NotFound): string => {
    const hints = suggestions.length === 0 ? [] : [`did you mean ${suggestions.map(quoteName).join(" or ")}?`];
    if (deleted !== undefined) hints.push(`deleted on ${deleted}: ${PAST}`);
    return hints.length === 0 ? quoteName(name) : `${quoteName(name)} (${hints.join("; ")})`;
  };
  const listed = listedNotFound(opened, maxBytes).length;
  const isLater = new Set(knownSince.map(({ name }) => name));
  const remarks = [
    ...recordedRemark(recorded, opened.entities),
    ...pastRemark(past),
    ...listRemark("Recorded later", knownSince, ({ name, date }) => `${quoteName(name)} (known since ${date})`),
    ...(opened.entities.some(({ name }) => isLater.has(name)) ? ["What of them has no time of its own is left out."] : []),
    ...listRemark("Renamed since", renamed, ({ former, present }) => `${quoteName(former)} is now ${quoteName(present)}`),
    ...listRemark(
      "Not found",
      notFound.filter(({ name }) => !isLater.has(name)),
      quote,
    ),
    ...typesRemark(typesHere),
  ];
  if (listed < notFound.length) remarks.push(`${counted(notFound.length, "name")} not found; the first ${listed} are listed.`);
  return { continuation, remarks };
}
