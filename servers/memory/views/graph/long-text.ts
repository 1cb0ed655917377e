// Texts of any length: the beginning, and the rest part by part on request.
import { button, element, visible } from "@oarlock/extensions/page";

const FIRST_LENGTH = 600;
/** A part that the browser breaks into lines without a noticeable pause. */
const PART_LENGTH = 20_000;

export function longText(text: string): HTMLElement {
  const shown = element("span", { class: "long-text", dir: "auto" }, visible(text.slice(0, FIRST_LENGTH), "lines"));
  let end = FIRST_LENGTH;
  if (text.length <= end) return shown;
  const label = (): string => `Show more: ${(text.length - end).toLocaleString("en")} characters`;
  const more = button(label(), () => {
    shown.append(visible(text.slice(end, end + PART_LENGTH), "lines"));
    end += PART_LENGTH;
    more.textContent = label();
    if (end >= text.length) more.remove();
  });
  return element("span", {}, shown, " ", more);
}
