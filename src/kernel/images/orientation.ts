const BIG_ENDIAN = 0x4d4d
const LITTLE_ENDIAN = 0x4949
const ORIENTATION_TAG = 0x0112
const SHORT = 3
const HEADER_BYTES = 8
const ENTRY_BYTES = 12

/** EXIF orientation from 1 (as stored) to 8; 1 if the TIFF structure has none that is valid. */
export function readOrientation(tiff: Buffer): number {
  if (tiff.length < HEADER_BYTES) return 1
  const order = tiff.readUInt16BE(0)
  if (order !== BIG_ENDIAN && order !== LITTLE_ENDIAN) return 1
  const isLittle = order === LITTLE_ENDIAN
  const read16 = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  if (directory + 2 > tiff.length) return 1
  const first = directory + 2
  const count = Math.min(read16(directory), Math.floor((tiff.length - first) / ENTRY_BYTES))
  for (let index = 0; index < count; index++) {
    const entry = first + index * ENTRY_BYTES
    if (read16(entry) !== ORIENTATION_TAG || read16(entry + 2) !== SHORT) continue
    const value = read16(entry + 8)
    return value >= 1 && value <= 8 ? value : 1
  }
  return 1
}

/** A TIFF structure with the orientation only. */
export function writeOrientation(orientation: number): Buffer {
  const tiff = Buffer.alloc(HEADER_BYTES + 2 + ENTRY_BYTES + 4)
  tiff.writeUInt16BE(BIG_ENDIAN, 0)
  tiff.writeUInt16BE(42, 2)
  tiff.writeUInt32BE(HEADER_BYTES, 4)
  tiff.writeUInt16BE(1, 8)
  tiff.writeUInt16BE(ORIENTATION_TAG, 10)
  tiff.writeUInt16BE(SHORT, 12)
  tiff.writeUInt32BE(1, 14)
  tiff.writeUInt16BE(orientation, 18)
  return tiff
}

/** Orientations from 5 exchange width and height. */
export function orient(
  width: number,
  height: number,
  orientation: number
): { width: number; height: number } {
  return orientation >= 5 ? { width: height, height: width } : { width, height }
}
