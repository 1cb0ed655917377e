/** The soak server on stdio. */
import { serveStdio } from "@oarlock/server-kit/node";
import { soakServer } from "./soak-server.ts";

await serveStdio(soakServer).ended;
