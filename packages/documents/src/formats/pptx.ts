// PowerPoint files (PPTX): the text of each slide in the order of its shapes, and the notes of the speaker.
import { BoundedText } from "../container/bounded-text.ts";
import { mainFile, relationshipsOf, type Relationship } from "../container/relationships.ts";
import { attribute, readXml } from "../container/xml.ts";
import { ZipArchive } from "../container/zip-archive.ts";
import type { Document } from "../document.ts";
import { readImages, related } from "../images/archive-images.ts";
import { MAX_PARTS } from "../limits.ts";

const FORMAT = "PPTX";
const MAIN = "ppt/presentation.xml";

export function openPptx(bytes: Uint8Array): Document {
  const archive = new ZipArchive(bytes, FORMAT);
  const main = mainFile(archive, FORMAT, MAIN);
  const slides = slidesOf(archive, main, relationshipsOf(archive, main, FORMAT));
  return {
    format: "pptx",
    unit: "slide",
    count: slides.length,
    read(index) {
      const file = slides[index] ?? "";
      const text = textOf(archive, file);
      const notes = [...relationshipsOf(archive, file, FORMAT).values()].find(
        ({ type, target }) => type === "notesSlide" && archive.has(target),
      );
      const spoken = notes === undefined ? "" : textOf(archive, notes.target);
      return { text: spoken === "" ? text : `${text}\n\nNotes: ${spoken}` };
    },
    images: (index, maxBytes) => readImages(archive, related(archive, slides[index] ?? "", "image", FORMAT), maxBytes),
  };
}

function slidesOf(archive: ZipArchive, main: string, relationships: ReadonlyMap<string, Relationship>): string[] {
  const slides: string[] = [];
  readXml(archive.read(main), FORMAT, main, {
    open(tag, attributes) {
      if (tag !== "sldId" || slides.length >= MAX_PARTS) return;
      const target = relationships.get(attributes["r:id"] ?? "")?.target;
      if (target !== undefined && archive.has(target)) slides.push(target);
    },
  });
  return slides;
}

function textOf(archive: ZipArchive, file: string): string {
  const text = new BoundedText();
  let [isText, tables, cells, isField] = [false, 0, 0, false];
  readXml(archive.read(file), FORMAT, file, {
    open(tag, attributes) {
      if (tag === "t") isText = !isField;
      else if (tag === "br") text.add("\n");
      // The number of the slide, which is its place here too.
      else if (tag === "fld") isField = attribute(attributes, "type") === "slidenum";
      else if (tag === "tbl") tables += 1;
      else if (tag === "tr") cells = 0;
      else if (tag === "tc") text.add((cells += 1) > 1 ? " | " : "");
    },
    close(tag) {
      if (tag === "t") isText = false;
      else if (tag === "fld") isField = false;
      else if (tag === "p") text.add(tables > 0 ? " " : "\n");
      else if (tag === "tr") text.add("\n");
      else if (tag === "tbl") tables -= 1;
    },
    text(more) {
      if (isText) text.add(more);
    },
  });
  return text.toString();
}
