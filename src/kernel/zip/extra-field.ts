/** Sizes and the offset of an entry that do not fit into 32 bits. */
export const ZIP64_FIELD = 0x0001

/** Stands in a 32-bit field for a value in the zip64 field; 0xffff does in a 16-bit field. */
export const IN_ZIP64 = 0xffffffff

/** Padding and cut fields, which some programs write, end the list. */
export function findExtraField(extra: Buffer, id: number): Buffer | undefined {
  let position = 0
  while (position + 4 <= extra.length) {
    const start = position + 4
    const end = start + extra.readUInt16LE(position + 2)
    if (end > extra.length) return undefined
    if (extra.readUInt16LE(position) === id) return extra.subarray(start, end)
    position = end
  }
  return undefined
}

/**
 * Replaces each value that is in the zip64 field, which contains only these, in this order.
 * Undefined if the field is missing, too short, or beyond the range of safe integers.
 */
export function resolveZip64<T extends readonly number[]>(values: T, extra: Buffer): T | undefined {
  if (!values.includes(IN_ZIP64)) return values
  const field = findExtraField(extra, ZIP64_FIELD)
  if (field === undefined) return undefined
  let position = 0
  const resolved = values.map((value) => {
    if (value !== IN_ZIP64) return value
    position += 8
    return position <= field.length ? readSize(field, position - 8) : Number.NaN
  })
  return resolved.every(Number.isSafeInteger) ? (resolved as readonly number[] as T) : undefined
}

/** Not a safe integer if the value is larger; such a value is never valid. */
export function readSize(bytes: Buffer, position: number): number {
  return Number(bytes.readBigUInt64LE(position))
}
