/** The resources of the suite. */
import { resource, template } from "@oarlock/server-kit";
import { PIXEL } from "./media.ts";

export const resources = [
  resource({
    uri: "test://static-text",
    name: "static-text",
    description: "A text that never changes.",
    mimeType: "text/plain",
    read: () => "This is the content of the static text resource.",
  }),
  resource({
    uri: "test://static-binary",
    name: "static-binary",
    description: "A picture that never changes.",
    mimeType: "image/png",
    read: () => ({ blob: PIXEL }),
  }),
  resource({
    uri: "test://watched-resource",
    name: "watched-resource",
    description: "A text that can be subscribed to.",
    mimeType: "text/plain",
    read: () => "Watched resource content",
    watch: () => () => undefined, // the suite subscribes and never waits for a change
  }),
  template({
    uri: "test://template/{id}/data",
    name: "template-data",
    description: "A family of JSON documents, one for each id.",
    mimeType: "application/json",
    read: ({ id }) => JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
  }),
];
