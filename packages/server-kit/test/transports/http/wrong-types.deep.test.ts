// Bodies with wrong types in every known field (security case HTTP-29; rules G3, K2 and R1).
import { test } from "vitest";
import { overFaces } from "../../support/http-faces.ts";
import { sendWrongTypes } from "../../support/wrong-types.ts";

const BODIES = process.env["OARLOCK_LONG"] === "1" ? 5000 : 800;

overFaces(`case HTTP-29 ${BODIES} bodies with wrong types in every known field`, (face) => {
  test("answers each wrong type by the protocol, serves the next client, and leaves nothing behind", () => sendWrongTypes(face, BODIES));
});
