// memory://recent and memory://stats: what is new, and what there is.
import { resource } from "@oarlock/server-kit";
import { after } from "../at-once.ts";
import { recent as newest } from "../graph/read/overviews.ts";
import { stats as figures } from "../graph/read/statistics.ts";
import { roomFor, type Parts } from "../dependencies.ts";
import { pretty } from "../replies/reply.ts";

const BYTES = 200_000;

export const recent = (parts: Parts) =>
  resource({
    uri: "memory://recent",
    name: "recent",
    title: "What is new",
    description: "The entities with the newest facts, in short",
    mimeType: "application/json",
    read: () =>
      after(
        parts.memory.look((store) => newest(store, roomFor(parts, BYTES))),
        pretty,
      ),
    watch: (changed) => parts.memory.watch({ kind: "any" }, changed),
  });

export const stats = ({ memory }: Parts) =>
  resource({
    uri: "memory://stats",
    name: "stats",
    title: "Figures",
    description: "Counts, types, largest entities, orphans and possible duplicates",
    mimeType: "application/json",
    read: () => after(memory.look(figures), pretty),
    watch: (changed) => memory.watch({ kind: "any" }, changed),
  });
