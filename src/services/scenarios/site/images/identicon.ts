import { deflateSync } from 'node:zlib'
import { PNG_SIGNATURE, writePngChunk } from '../../../../kernel/images/png-chunk.ts'
import { hashOf, hueOf, SIZE, type Sitter } from './avatar.ts'

const CELLS = 5
const CELL = 24
const MARGIN = (SIZE - CELLS * CELL) / 2
const GROUND = [240, 240, 240]

/** Five by five squares, mirrored, for clients without SVG. */
export function drawIdenticon(sitter: Sitter): Buffer {
  const hash = hashOf(sitter)
  const isFilled = (column: number, row: number) => {
    const mirrored = Math.min(column, CELLS - 1 - column)
    return ((hash[2 + row] ?? 0) >> mirrored) % 2 === 1
  }
  const rows = Array.from({ length: SIZE }, (_, y) => {
    // One bit per pixel, most significant first, after the filter type of the row.
    const row = Buffer.alloc(1 + SIZE / 8)
    for (let x = 0; x < SIZE; x++) {
      const column = Math.floor((x - MARGIN) / CELL)
      const line = Math.floor((y - MARGIN) / CELL)
      const isInside = column >= 0 && column < CELLS && line >= 0 && line < CELLS
      if (!isInside || !isFilled(column, line)) continue
      row[1 + (x >> 3)] = (row[1 + (x >> 3)] ?? 0) | (0x80 >> (x & 7))
    }
    return row
  })
  return writePng(Buffer.concat(rows), [...GROUND, ...colourOf(hueOf(hash))])
}

/** RFC 2083: signature, header, palette, pixels, end. */
function writePng(pixels: Buffer, palette: readonly number[]): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(SIZE, 0)
  header.writeUInt32BE(SIZE, 4)
  header.set([1, 3], 8)
  return Buffer.concat([
    PNG_SIGNATURE,
    writePngChunk('IHDR', header),
    writePngChunk('PLTE', Buffer.from(palette)),
    writePngChunk('IDAT', deflateSync(pixels)),
    writePngChunk('IEND', Buffer.alloc(0))
  ])
}

/** Background of the SVG avatar as red, green and blue. */
function colourOf(hue: number): number[] {
  const saturation = 0.55
  const lightness = 0.34
  const chroma = saturation * Math.min(lightness, 1 - lightness)
  return [0, 8, 4].map((offset) => {
    const at = (offset + hue / 30) % 12
    return Math.round(255 * (lightness - chroma * Math.max(-1, Math.min(at - 3, 9 - at, 1))))
  })
}
