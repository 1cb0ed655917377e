// Office files: paragraphs, tables, pages, sheets and slides.
import { expect, test } from "vitest";
import { extractText } from "../../src/text-extraction.ts";
import { docxOf, paragraph, pptxOf, relationships, xlsxOf } from "../support/archives.ts";

const BREAK = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>';

test("reads paragraphs, headings, tabs and tables of DOCX", async () => {
  const cell = (text: string) => `<w:tc>${paragraph(text)}</w:tc>`;
  const body = [
    paragraph("Report", "Heading1"),
    "<w:p><w:r><w:t>a</w:t><w:tab/><w:t>b &amp; c</w:t><w:br/><w:t>d</w:t></w:r></w:p>",
    "<w:p><w:del><w:r><w:delText>deleted</w:delText></w:r></w:del><w:r><w:instrText>PAGE</w:instrText><w:t>kept</w:t></w:r></w:p>",
    `<w:tbl><w:tr>${cell("1")}${cell("2")}</w:tr><w:tr>${cell("3")}${cell("4")}</w:tr></w:tbl>`,
  ].join("");
  expect(await extractText(docxOf(body))).toEqual({
    format: "docx",
    unit: "part",
    count: 1,
    parts: [{ number: 1, text: "# Report\na\tb & c\nd\nkept\n1  | 2\n3  | 4" }],
  });
});

test("divides DOCX at page breaks, and puts notes behind", async () => {
  const notes = `<w:footnotes>${paragraph("a note")}</w:footnotes>`;
  const rels = relationships({ footnotes: "footnotes.xml" });
  const document = docxOf(`${paragraph("one")}${BREAK}${paragraph("two")}`, {
    "word/footnotes.xml": notes,
    "word/_rels/document.xml.rels": rels,
  });
  const { unit, parts } = await extractText(document);
  expect({ unit, parts }).toEqual({
    unit: "page",
    parts: [
      { number: 1, text: "one" },
      { number: 2, text: "two" },
      { number: 3, title: "Footnotes", text: "a note" },
    ],
  });
});

test("reads sheets of XLSX with shared texts, gaps, formulas, truths and dates", async () => {
  const rows = [
    '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c></row>',
    '<row r="4"><c r="B4" s="1"><v>45000</v></c><c r="C4" s="2"><v>45000.5</v></c><c r="D4"><f>A1+1</f><v>2.5</v></c><c r="E4" t="b"><v>1</v></c></row>',
    '<row><c t="inlineStr"><is><t>in line</t></is></c><c t="e"><v>#N/A</v></c></row>',
  ].join("");
  const document = xlsxOf(
    { First: rows, Empty: "" },
    {
      "xl/sharedStrings.xml": "<sst><si><t>name</t></si><si><r><t>two </t></r><r><t>runs</t></r><rPh><t>phonetic</t></rPh></si></sst>",
      "xl/styles.xml":
        '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd hh:mm"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/></cellXfs></styleSheet>',
    },
  );
  expect(await extractText(document)).toMatchObject({
    format: "xlsx",
    unit: "sheet",
    count: 2,
    parts: [
      { title: "First", text: "1\tname\t\ttwo runs\n4\t\t2023-03-15\t2023-03-15 12:00:00\t2.5\tTRUE\n5\tin line\t#N/A" },
      { title: "Empty", text: "" },
    ],
  });
});

test("reads slides of PPTX in their order, with the notes of the speaker", async () => {
  const slide = (text: string) => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p><a:p><a:fld type="slidenum"><a:t>7</a:t></a:fld></a:p>`;
  const document = pptxOf([slide("first"), slide("second")], {
    "ppt/slides/_rels/slide2.xml.rels": relationships({ notesSlide: "../notesSlides/notes1.xml" }),
    "ppt/notesSlides/notes1.xml": '<p:notes xmlns:a="a"><a:p><a:r><a:t>speak slowly</a:t></a:r></a:p></p:notes>',
  });
  expect(await extractText(document)).toEqual({
    format: "pptx",
    unit: "slide",
    count: 2,
    parts: [
      { number: 1, text: "first" },
      { number: 2, text: "second\n\nNotes: speak slowly" },
    ],
  });
});
