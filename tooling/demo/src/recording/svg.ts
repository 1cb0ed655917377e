// SVG: a recording as an animated picture of a terminal, light and dark. It plays once: what is not printed yet is dim, so that
// no reader looks at an empty window, and without animation everything is bright.
import type { Recorded } from "./record.ts";

const COLUMNS = 80;
const [FONT, ADVANCE, LEADING, MARGIN, BAR] = [14, 8.43, 20, 18, 34];
const TYPE_MS = 18;
/** Pauses of a reader and of a user; those of a slow machine are cut. */
const [READ_MS, ANSWER_MS, MAX_WAIT_MS] = [1200, 900, 400];

const STYLE = `svg{--paper:#fff;--ink:#1f2328;--quiet:#59636e;--mark:#0550ae;--line:#d1d9e0}
@media (prefers-color-scheme:dark){svg{--paper:#0d1117;--ink:#e6edf3;--quiet:#9198a1;--mark:#79c0ff;--line:#3d444d}}
rect{fill:var(--paper);stroke:var(--line)}
circle{fill:var(--line)}
text{font:${FONT}px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:var(--ink);white-space:pre;animation:show 1ms both}
.prompt{fill:var(--quiet)}
.command,.answer{fill:var(--mark);font-weight:600}
.command{animation-name:type}
.answer{animation:show 1ms both}
@keyframes show{from{opacity:.25}}
@keyframes type{from{clip-path:inset(0 100% 0 0)}}
@media (prefers-reduced-motion:reduce){text,tspan{animation:none!important}}`;

export function svgOf(title: string, recorded: readonly Recorded[]): string {
  const rows: string[] = [];
  let clock = 300;
  const add = (className: string, content: string, timing: string): void => {
    const y = BAR + MARGIN + rows.length * LEADING;
    if (content === "") rows.push("");
    else rows.push(`<text${className === "" ? "" : ` class="${className}"`} x="${MARGIN}" y="${y}" style="${timing}">${content}</text>`);
  };
  for (const { command, lines } of recorded) {
    for (const [index, part] of wrapped(`$ ${command}`, "  ").entries()) {
      const ms = part.length * TYPE_MS;
      const content = index === 0 ? `<tspan class="prompt">$</tspan>${escaped(part.slice(1))}` : escaped(part);
      add("command", content, `animation-duration:${ms}ms;animation-timing-function:steps(${part.length});animation-delay:${clock}ms`);
      clock += ms;
    }
    let before = 0;
    for (const { text, at, answer } of lines) {
      clock += Math.min(MAX_WAIT_MS, Math.round((at - before) / 10) * 10);
      before = at;
      const parts = wrapped(text, "");
      for (const [index, part] of parts.entries()) {
        const isAnswered = answer !== "" && index === parts.length - 1;
        const typed = isAnswered ? `<tspan class="answer" style="animation-delay:${clock + ANSWER_MS}ms">${escaped(answer)}</tspan>` : "";
        add("", escaped(part) + typed, `animation-delay:${clock}ms`);
      }
      if (answer !== "") clock += ANSWER_MS;
    }
    clock += READ_MS;
    rows.push("");
  }
  rows.pop();
  const [width, height] = [Math.ceil(COLUMNS * ADVANCE) + 2 * MARGIN, BAR + MARGIN + rows.length * LEADING];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title">
<title id="title">${escaped(title)}</title>
<style>
${STYLE}
</style>
<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="8"/>
${[0, 1, 2].map((at) => `<circle cx="${MARGIN + 6 + at * 20}" cy="20" r="6"/>`).join("")}
${rows.filter((row) => row !== "").join("\n")}
</svg>
`;
}

/** Breaks a long line between words, or within a word that is longer than a line. */
function wrapped(text: string, indent: string): string[] {
  const lines: string[] = [];
  let rest = text;
  while (rest.length > COLUMNS) {
    const blank = rest.lastIndexOf(" ", COLUMNS);
    const at = blank > indent.length ? blank + 1 : COLUMNS;
    lines.push(rest.slice(0, at));
    rest = indent + rest.slice(at);
  }
  return [...lines, rest];
}

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
