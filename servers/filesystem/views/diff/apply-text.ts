// Why an edit cannot be applied, and how applying it failed.

/** A preview, as far as it decides about Apply. */
export interface Preview {
  readonly etag: string | undefined;
  /** The diff is only the beginning. */
  readonly isCut: boolean;
  /** Why a changed part is not on the page; empty when all of them are. */
  readonly unseen: string;
}

/** Empty where the edit can be applied: the user agrees to what is on the page, so all of it must be there. */
export function applyObstacle({ etag, isCut, unseen }: Preview, canCallTools: boolean): string {
  if (!canCallTools) return "This host does not let the page apply it.";
  if (etag === undefined) return "Apply needs the etag of the preview, which this host does not pass on.";
  if (isCut) return "It cannot be applied here, because the diff is cut.";
  return unseen === "" ? "" : `Apply appears when every change is shown. ${unseen}`;
}

/** `source`: the tool replied that it failed, or the host answered in its place, perhaps after the tool has made the edit. */
export function failureText(source: "tool" | "host", reason: string): string {
  const declined = source === "host" ? /declin|denied|reject/i : /\buser declined\b/i;
  if (declined.test(reason)) return `The edit was declined; the file is unchanged. ${reason}`;
  if (source === "tool") return `The edit failed. ${reason}`;
  return `No result of the edit: it may have been made. Read the file before you try again. ${reason}`;
}
