// Pixels as PDF.js hands them over, made small enough for a model and encoded as JPEG.
import jpeg from "jpeg-js";

/** Models look at no more pixels in either direction. */
const MAX_SIDE = 1568;
const QUALITY = 80;
const WHITE = 255;

export interface Raster {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array | Uint8ClampedArray;
}

/** Undefined for data of another length than the size says. */
export function encodeJpeg(raster: Raster): Uint8Array | undefined {
  const readPixel = pixelReader(raster);
  if (readPixel === undefined) return undefined;
  const scale = Math.max(1, Math.max(raster.width, raster.height) / MAX_SIDE);
  const [width, height] = [Math.max(1, Math.round(raster.width / scale)), Math.max(1, Math.round(raster.height / scale))];
  const data = Buffer.alloc(width * height * 4);
  for (let y = 0; y < height; y += 1) {
    const rows: Span = [Math.floor((y * raster.height) / height), Math.ceil(((y + 1) * raster.height) / height)];
    for (let x = 0; x < width; x += 1) {
      const columns: Span = [Math.floor((x * raster.width) / width), Math.ceil(((x + 1) * raster.width) / width)];
      data.set(average(readPixel, columns, rows), (y * width + x) * 4);
    }
  }
  return jpeg.encode({ width, height, data }, QUALITY).data;
}

/** From the first to before the last. */
type Span = readonly [number, number];
/** Adds the three colours of a pixel to a sum. */
type PixelReader = (x: number, y: number, sum: [number, number, number]) => void;

function average(readPixel: PixelReader, [left, right]: Span, [top, bottom]: Span): [number, number, number] {
  const sum: [number, number, number] = [0, 0, 0];
  for (let y = top; y < bottom; y += 1) for (let x = left; x < right; x += 1) readPixel(x, y, sum);
  const pixels = (right - left) * (bottom - top);
  return [sum[0] / pixels, sum[1] / pixels, sum[2] / pixels];
}

function pixelReader(raster: Raster): PixelReader | undefined {
  const { width, height, data } = raster;
  if (data.length === Math.ceil(width / 8) * height) return bitReader(raster);
  const bytesOfPixel = data.length / (width * height);
  return bytesOfPixel === 1 || bytesOfPixel === 3 || bytesOfPixel === 4 ? byteReader(raster, bytesOfPixel) : undefined;
}

/** Eight pixels a byte, each row from a new byte; a bit that is set is white. */
function bitReader({ width, data }: Raster): PixelReader {
  const bytesOfRow = Math.ceil(width / 8);
  return (x, y, sum) => {
    const byte = data[y * bytesOfRow + (x >> 3)] ?? 0;
    if (((byte << (x & 7)) & 0x80) === 0) return;
    for (const colour of [0, 1, 2] as const) sum[colour] += WHITE;
  };
}

/** Grey, three colours, or three colours and their opacity, before white. */
function byteReader({ width, data }: Raster, bytesOfPixel: 1 | 3 | 4): PixelReader {
  return (x, y, sum) => {
    const at = (y * width + x) * bytesOfPixel;
    const opacity = bytesOfPixel === 4 ? (data[at + 3] ?? WHITE) / WHITE : 1;
    for (const colour of [0, 1, 2] as const) {
      const value = data[bytesOfPixel === 1 ? at : at + colour] ?? 0;
      sum[colour] += value * opacity + WHITE * (1 - opacity);
    }
  };
}
