// The revisions of the protocol that the playground offers, newest first, each with the transport that it uses in the page.

export interface RevisionChoice {
  readonly id: string;
  readonly transport: string;
}

const SESSION = "Streamable HTTP with a session";

export const REVISION_CHOICES: readonly RevisionChoice[] = [
  { id: "2026-07-28", transport: "Streamable HTTP without sessions" },
  { id: "2025-11-25", transport: SESSION },
  { id: "2025-06-18", transport: SESSION },
  { id: "2025-03-26", transport: SESSION },
  { id: "2024-11-05", transport: "HTTP+SSE, two endpoints" },
];
