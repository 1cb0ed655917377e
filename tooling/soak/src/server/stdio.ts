/** The fixture server on stdio. */
import { serveStdio } from "@oarlock/server-kit/node";
import { fixture } from "./fixture.ts";

await serveStdio(fixture).ended;
