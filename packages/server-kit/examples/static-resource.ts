// A resource with a fixed URI that clients may cache for an hour.
import { defineServer, resource } from "@oarlock/server-kit";
import { serveStdio } from "@oarlock/server-kit/node";

const motto = resource({
  uri: "house://motto",
  name: "motto",
  description: "The motto of this house.",
  mimeType: "text/plain",
  cache: { ttlMs: 3_600_000, scope: "public" },
  read: () => ({ text: "Look, ask, then act." }),
});

const server = defineServer({ name: "house", version: "1.0.0", resources: [motto] });
await serveStdio(server).ended;
