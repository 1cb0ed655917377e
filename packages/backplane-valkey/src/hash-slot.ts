// hashSlot: which part of a cluster has a key.

const SLOTS = 16_384;

/** The slot of a key with a hash tag, the text between its first braces: the CRC16 (XMODEM) of the tag. */
export function hashSlot(key: string): number {
  const tag = key.slice(key.indexOf("{") + 1, key.indexOf("}"));
  let crc = 0;
  for (const byte of Buffer.from(tag)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = (crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0);
    crc &= 0xffff;
  }
  return crc % SLOTS;
}
