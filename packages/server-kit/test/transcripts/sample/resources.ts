// Resources and templates: a watched one, bytes, several contents in one, a broken one, and templates with completion.
import { resource, template, type ResourceDefinition } from "@oarlock/server-kit";
import type { Sign } from "./sign.ts";

const SVG = { src: "https://sample.example/sign.svg", mimeType: "image/svg+xml", sizes: ["any"] };

const ROOMS: Readonly<Record<string, readonly string[]>> = { ground: ["kitchen", "hall"], first: ["bath", "bedroom"] };

export function sampleResources(sign: Sign): ResourceDefinition[] {
  return [
    resource({
      uri: "sample://sign",
      name: "sign",
      title: "The sign",
      description: "Whether anyone is in.",
      mimeType: "text/plain",
      size: 4,
      annotations: { audience: ["user", "assistant"], priority: 1, lastModified: "2025-01-12T15:00:58Z" },
      icons: [SVG],
      meta: { "sample.example/side": "front" },
      read: () => ({ text: sign.text, _meta: { "sample.example/side": "front" } }),
      watch: (changed) => sign.watch(changed),
    }),
    resource({ uri: "sample://photo", name: "photo", mimeType: "image/png", size: 8, read: () => ({ blob: "iVBORw0KGgo=" }) }),
    resource({
      uri: "sample://desk",
      name: "desk",
      mimeType: "inode/directory",
      read: () => [
        { uri: "sample://desk/letter", mimeType: "text/plain", text: "Dear all" },
        { uri: "sample://desk/stamp", mimeType: "image/png", blob: "iVBORw0KGgo=" },
      ],
    }),
    resource({
      uri: "sample://broken",
      name: "broken",
      read() {
        throw new Error("a detail that clients must not see");
      },
    }),
    template({
      uri: "sample://rooms/{floor}/{room}",
      name: "room",
      title: "A room",
      description: "What is in a room.",
      mimeType: "text/markdown",
      annotations: { audience: ["assistant"], priority: 0.3, lastModified: "2025-01-12T15:00:58Z" },
      icons: [SVG],
      meta: { "sample.example/plan": "b" },
      list: () => [{ uri: "sample://rooms/ground/kitchen", name: "kitchen", title: "The kitchen" }],
      complete: {
        floor: (typed) => Object.keys(ROOMS).filter((floor) => floor.startsWith(typed)),
        // The rooms of the floor that was chosen before; of all floors while there is none.
        room: (typed, _ctx, { floor }) =>
          (floor === undefined ? Object.values(ROOMS).flat() : (ROOMS[floor] ?? [])).filter((room) => room.startsWith(typed)),
      },
      read: ({ floor, room }) => (ROOMS[floor]?.includes(room) === true ? `# ${room}, ${floor} floor` : undefined),
    }),
    template({
      uri: "sample://pages/{number}",
      name: "page",
      complete: { number: (typed) => Array.from({ length: 120 }, (_, at) => String(at + 1)).filter((number) => number.startsWith(typed)) },
      read: ({ number }) => `Page ${number}`,
    }),
    template({
      uri: "sample://notes/{+path}",
      name: "note",
      complete: {
        path() {
          throw new Error("a detail that clients must not see");
        },
      },
      read: ({ path }) => `Note ${path}`,
    }),
  ];
}
