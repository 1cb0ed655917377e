import { resource } from "@oarlock/server-kit";

export const motto = resource({
  uri: "house://motto",
  name: "motto",
  description: "What this house lives by.",
  mimeType: "text/plain",
  cache: { ttlMs: 3_600_000, scope: "public" },
  read: () => ({ text: "Look, ask, then act." }),
});
