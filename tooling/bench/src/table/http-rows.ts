/** The rows of the target table about HTTP. */
import type { Row } from "./row.ts";

const OURS = { group: "HTTP", suite: "http", of: "ours-http", floor: "floor-http" } as const;
const SESSIONS = { group: "Sessions over HTTP", suite: "sessions", of: "ours-http", floor: "floor-http" } as const;

/** A server of the kit opens a session for every handshake, so its stateless figures come from the modern revision. */
const modern = (figure: string) => ({ figure, why: "ours is measured with requests of the modern revision, which need no session" });

export const HTTP_ROWS: readonly Row[] = [
  {
    ...OURS,
    figure: "stateful/json c64 server cpu us",
    bar: 1.5,
    stretch: 1.3,
    beside: { "sdk-v1-http": 0.09, "sdk-v2-http": 0.08 },
    quick: true,
  },
  { ...OURS, figure: "stateful/json c64 rps", bar: 0.7, stretch: 0.8, beside: { "sdk-v1-http": 7, "sdk-v2-http": 9 }, quick: true },
  {
    ...OURS,
    figure: "stateless/json c64 server cpu us",
    bar: 1.5,
    stretch: 1.3,
    beside: { "sdk-v1-http": 0.05, "sdk-v2-http": 0.07 },
    instead: modern("modern/json c64 server cpu us"),
  },
  {
    ...OURS,
    figure: "stateless/json c64 rps",
    bar: 0.7,
    stretch: 0.8,
    beside: { "sdk-v1-http": 16, "sdk-v2-http": 10 },
    instead: modern("modern/json c64 rps"),
  },
  {
    ...OURS,
    figure: "stateless/sse c64 server cpu us",
    bar: 1.6,
    stretch: 1.4,
    beside: { "sdk-v1-http": 0.12, "sdk-v2-http": 0.12 },
    instead: { figure: "stateful/sse c64 server cpu us", why: "ours is measured in a session, which each request looks up" },
  },
  { ...OURS, figure: "modern/json c64 server cpu us", bar: 1.6, stretch: 1.4, beside: { "sdk-v2-http": 0.08 }, quick: true },
  { ...OURS, figure: "modern/json c64 rps" },
  {
    ...OURS,
    figure: "modern/sse c64 server cpu us",
    note: "Ours sends two events: without a session it answers with events only after a progress notification.",
  },
  { ...SESSIONS, figure: "KiB per session", bar: 1.2, stretch: 1, beside: { "sdk-v1-http": 0.1, "sdk-v2-http": 0.16 } },
  { ...SESSIONS, figure: "KiB per session with stream", bar: 1.3, stretch: 1.15, beside: { "sdk-v1-http": 0.18, "sdk-v2-http": 0.3 } },
];
