/** A UUID (RFC 9562) of 16 bytes, in which the version and the variant are set. */
export function formatUuid(source: Uint8Array, version: 4 | 5): string {
  const bytes = Buffer.from(source.subarray(0, 16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | (version << 4)
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20)
  ].join('-')
}
