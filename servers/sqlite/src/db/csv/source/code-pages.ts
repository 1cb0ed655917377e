// Code pages of DOS, which the WHATWG Encoding Standard leaves out and some banks still write.

/** The characters of the bytes from 0x80 on. */
const CODE_PAGES: ReadonlyMap<string, string> = new Map([
  [
    "437",
    "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00A0",
  ],
  [
    "850",
    "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00AD±‗¾¶§÷¸°¨·¹³²■\u00A0",
  ],
  [
    "852",
    "ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u00AD˝˛ˇ˘§÷¸°¨˙űŘř■\u00A0",
  ],
  [
    "858",
    "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈ€ÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00AD±‗¾¶§÷¸°¨·¹³²■\u00A0",
  ],
]);

/** Decodes bytes by a code page such as cp850; undefined for another name. */
export function codePageDecoder(name: string): ((bytes: Buffer) => string) | undefined {
  const [, number = ""] = /^(?:cp|ibm|dos)?[-_ ]?(\d{3})$/i.exec(name.trim()) ?? [];
  const upper = CODE_PAGES.get(number);
  if (upper === undefined) return undefined;
  return (bytes) => bytes.toString("latin1").replaceAll(/[\u0080-\u00FF]/g, (byte) => upper.charAt(byte.charCodeAt(0) - 0x80));
}

/**
 * A letter before „ or ‚, or before ”, † or ‡ and another letter: so bytes of code page 850 look that are read as windows-1252, where ä, é, ö,
 * å and ç have them. 0x81 is ü there, and nothing here.
 */
const DOS_WORD = /[A-Za-z]{0,30}(?:[A-Za-z][\u0081\u0082\u0084]|[A-Za-z][\u0086\u0087\u0094](?=[a-z]))[A-Za-z\u0080-\u00A5\u00E1]{0,30}/;
const LETTER_OF_1252 = /[A-Za-z][\u00C0-\u00D6\u00D8-\u00E0\u00E2-\u00F6\u00F8-\u00FF][A-Za-z]/;

/** The first word that makes sense as one of a code page only; undefined where others make sense as windows-1252. */
export function dosWordIn(chunks: Iterable<Buffer>): Buffer | undefined {
  let word: string | undefined;
  for (const chunk of chunks) {
    const text = chunk.toString("latin1");
    if (LETTER_OF_1252.test(text)) return undefined;
    word ??= DOS_WORD.exec(text)?.[0];
  }
  return word === undefined ? undefined : Buffer.from(word, "latin1");
}
