import { randomBytes } from 'node:crypto'

/**
 * A UUID of version 7 (RFC 9562): 48 bits of Unix milliseconds, then random bits. Sorted by time,
 * so that new jobs are beside each other in the index, however many old ones there are.
 */
export function createJobId(time: number): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(time, 0, 6)
  bytes.writeUInt8(0x70 | (bytes.readUInt8(6) & 0x0f), 6)
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
