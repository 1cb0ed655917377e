// Why an edit cannot be applied, and how applying it failed.

/** Empty where the edit can be applied. `etag`: of the preview. */
export function applyObstacle(etag: string | undefined, canCallTools: boolean): string {
  if (!canCallTools) return "This host does not let the page apply it.";
  return etag === undefined ? "Apply needs the etag of the preview, which this host does not pass on." : "";
}

/** `source`: the tool replied that it failed, or the host answered in its place, perhaps after the tool has made the edit. */
export function failureText(source: "tool" | "host", reason: string): string {
  const declined = source === "host" ? /declin|denied|reject/i : /\buser declined\b/i;
  if (declined.test(reason)) return `The edit was declined; the file is unchanged. ${reason}`;
  if (source === "tool") return `The edit failed. ${reason}`;
  return `No result of the edit: it may have been made. Read the file before you try again. ${reason}`;
}
