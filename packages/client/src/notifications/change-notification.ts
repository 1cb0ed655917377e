// Notifications of changes: of the server's lists, and of resources. The same in both eras.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/utilities/subscriptions
import type { Json } from "@oarlock/server-kit/protocol";

export type ListKind = "tools" | "prompts" | "resources";

/** The changes to be notified of: of lists, and of the resources with these URIs or below them. */
export interface NotificationFilter {
  tools?: boolean;
  prompts?: boolean;
  resources?: boolean;
  uris?: readonly string[];
}

/** A changed list, or an updated resource. */
export type ChangeNotification = { kind: ListKind } | { kind: "updated"; uri: string };

export const LIST_KINDS: readonly ListKind[] = ["tools", "prompts", "resources"];

/** The change that a notification reports; undefined for other notifications. */
export function toChange(method: string, { uri }: Json): ChangeNotification | undefined {
  if (method === "notifications/resources/updated") return typeof uri === "string" ? { kind: "updated", uri } : undefined;
  const kind = LIST_KINDS.find((list) => method === `notifications/${list}/list_changed`);
  return kind && { kind };
}

/** Whether a URI equals the watched one or lies below it, as a file below a folder. */
export const isCovered = (watched: string, uri: string): boolean =>
  uri === watched || uri.startsWith(watched.endsWith("/") ? watched : `${watched}/`);

export function matchesFilter(filter: NotificationFilter, change: ChangeNotification): boolean {
  return change.kind === "updated" ? (filter.uris ?? []).some((watched) => isCovered(watched, change.uri)) : filter[change.kind] === true;
}

/** One change for each part of a filter, for a subscriber that may have missed notifications. */
export function allChanges(filter: NotificationFilter): ChangeNotification[] {
  const lists = LIST_KINDS.filter((list) => filter[list] === true).map((kind): ChangeNotification => ({ kind }));
  return [...lists, ...(filter.uris ?? []).map((uri): ChangeNotification => ({ kind: "updated", uri }))];
}

/** Describes the requested notifications that the server has not accepted; undefined if it accepted all. */
export function describeMissing(accepted: NotificationFilter, requested: NotificationFilter): string | undefined {
  const lists = LIST_KINDS.filter((list) => requested[list] === true && accepted[list] !== true);
  const missing = [...lists, ...(requested.uris ?? []).filter((uri) => accepted.uris?.includes(uri) !== true)];
  return missing.length > 0 ? `The server does not send notifications of changes of: ${missing.join(", ")}` : undefined;
}
