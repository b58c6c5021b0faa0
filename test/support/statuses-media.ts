import { crc32, deflateSync } from 'node:zlib'

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const crc = Buffer.alloc(4)
  crc.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, crc])
}

/** A PNG of one colour that the number decides. */
export function png(number: number, width = 8, height = 6): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const colour = [number & 255, (number >> 8) & 255, (number >> 16) & 255]
  const row = Buffer.from([0, ...Array.from({ length: width }, () => colour).flat()])
  const rows = Buffer.concat(Array.from({ length: height }, () => row))
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0))
  ])
}

/** The beginning of an MP4 file, and bytes that the number decides. */
export function mp4(number: number): Buffer {
  const brand = Buffer.from('\0\0\0\x18ftypisom\0\0\x02\0isommp41', 'latin1')
  const data = Buffer.alloc(64)
  data.writeUInt32BE(72, 0)
  data.write('mdat', 4, 'latin1')
  data.writeUInt32BE(number, 8)
  return Buffer.concat([brand, data])
}
