import { createInflate } from 'node:zlib'
import { damagedImage } from './image-refused.ts'

export interface PngHeader {
  readonly width: number
  readonly height: number
  readonly bitsPerPixel: number
  readonly isInterlaced: boolean
}

/** By colour type: samples per pixel and the allowed bits per sample. */
const COLOURS: Readonly<Record<number, { samples: number; depths: readonly number[] }>> = {
  0: { samples: 1, depths: [1, 2, 4, 8, 16] },
  2: { samples: 3, depths: [8, 16] },
  3: { samples: 1, depths: [1, 2, 4, 8] },
  4: { samples: 2, depths: [8, 16] },
  6: { samples: 4, depths: [8, 16] }
}
/** Adam7: first column, first row, distance of columns and of rows in each pass. */
const PASSES: readonly (readonly [number, number, number, number])[] = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2]
]
const CHUNK_BYTES = 64 * 1024

export function readPngHeader(content: Buffer | undefined): PngHeader {
  if (content?.length !== 13) throw damagedImage('PNG', 'its header is missing')
  const width = content.readUInt32BE(0)
  const height = content.readUInt32BE(4)
  const [depth = 0, colour = 0, compression, filter, interlace = 0] = content.subarray(8)
  const { samples, depths } = COLOURS[colour] ?? { samples: 0, depths: [] }
  const isValid =
    width > 0 &&
    height > 0 &&
    depths.includes(depth) &&
    compression === 0 &&
    filter === 0 &&
    interlace <= 1
  if (!isValid) throw damagedImage('PNG', 'its header is wrong')
  return { width, height, bitsPerPixel: samples * depth, isInterlaced: interlace === 1 }
}

/** Checks that all pixels are there; returns the compressed data without what follows it. */
export async function trimPixels(compressed: Buffer, header: PngHeader): Promise<Buffer> {
  const expected = countBytes(header)
  const inflate = createInflate({ chunkSize: CHUNK_BYTES })
  inflate.end(compressed)
  let size = 0
  try {
    for await (const chunk of inflate) {
      size += chunk.length
      if (size > expected) break
    }
  } catch (error) {
    throw damagedImage('PNG', 'its pixels cannot be decompressed', { cause: error })
  }
  if (size !== expected) {
    throw damagedImage('PNG', `it has ${size < expected ? 'fewer' : 'more'} pixels than declared`)
  }
  return compressed.subarray(0, inflate.bytesWritten)
}

/** Of the decompressed pixels; each row starts with the type of its filter. */
function countBytes({ width, height, bitsPerPixel, isInterlaced }: PngHeader): number {
  const countPass = (columns: number, rows: number) =>
    columns === 0 ? 0 : rows * (1 + Math.ceil((columns * bitsPerPixel) / 8))
  if (!isInterlaced) return countPass(width, height)
  return PASSES.reduce((total, [column, row, columnStep, rowStep]) => {
    const columns = Math.max(0, Math.ceil((width - column) / columnStep))
    const rows = Math.max(0, Math.ceil((height - row) / rowStep))
    return total + countPass(columns, rows)
  }, 0)
}
