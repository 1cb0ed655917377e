// The facts of a commit: message, author, date, ids.
import { clipped, element, visible } from "@oarlock/extensions/page";

export interface Commit {
  readonly hash: string;
  readonly parents?: readonly string[];
  readonly author: string;
  readonly email?: string;
  readonly date: string;
  readonly subject: string;
  readonly body?: string;
  readonly refs?: readonly string[];
}

const SHORT = 10;

export function commitFacts({ hash, parents = [], author, email, date, subject, body = "", refs = [] }: Commit): HTMLElement {
  const person = email === undefined || email === "" ? author : `${author} <${email}>`;
  return element(
    "section",
    { class: "commit", "aria-label": "Commit" },
    element("h2", {}, element("bdi", {}, clipped(subject, 500))),
    body !== "" && element("pre", { class: "body", tabindex: 0 }, visible(body, "lines")),
    element(
      "p",
      { class: "quiet" },
      element("bdi", {}, clipped(person)),
      `, ${clipped(date.replace("T", " "), 40)}, `,
      element("span", { class: "mono" }, clipped(hash, 64)),
    ),
    refs.length > 0 && element("p", {}, ...refNames(refs)),
    parents.length > 0 &&
      element(
        "p",
        { class: "quiet" },
        `${parents.length === 1 ? "Parent" : "Parents"}: ${parents.map((id) => id.slice(0, SHORT)).join(", ")}`,
      ),
  );
}

/** Branches and tags, as labels. */
export const refNames = (refs: readonly string[]): HTMLElement[] => refs.map((ref) => element("bdi", { class: "ref" }, clipped(ref, 60)));
