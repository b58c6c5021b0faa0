/** Draws the pictures of the sample account: `node scripts/statuses-pictures.mjs`. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'

const folder = join(import.meta.dirname, '..', 'data', 'statuses')
/** Samples per pixel in each direction, for smooth edges. */
const SAMPLES = 3

const NIGHT = [24, 38, 66]
const DUSK = [238, 190, 150]
const SEA = [34, 92, 112]
const FOAM = [214, 232, 228]
const PAPER = [250, 246, 236]
const INK = [38, 44, 56]
const BRASS = [196, 148, 66]
const RED = [190, 64, 52]
const MOON = [252, 244, 214]

const mix = (one, other, share) => one.map((part, i) => part + (other[i] - part) * share)
const disc = (x, y, cx, cy, r) => Math.hypot(x - cx, y - cy) <= r
/** Whether a point is on a line of the given width. */
function line(x, y, [ax, ay], [bx, by], width) {
  const length = (bx - ax) ** 2 + (by - ay) ** 2
  const t = Math.min(1, Math.max(0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length))
  return Math.hypot(x - ax - t * (bx - ax), y - ay - t * (by - ay)) <= width / 2
}
const onCircle = (cx, cy, r, turn) => [
  cx + r * Math.sin(turn * 2 * Math.PI),
  cy - r * Math.cos(turn * 2 * Math.PI)
]

/** A gear: a disc with teeth and a hole. */
function gear(x, y, cx, cy, r, teeth) {
  const distance = Math.hypot(x - cx, y - cy)
  if (distance <= r * 0.16) return false
  const angle = (Math.atan2(y - cy, x - cx) / (2 * Math.PI) + 1) * teeth
  return distance <= (angle % 1 < 0.5 ? r : r * 0.93)
}

function tideClock(x, y) {
  const [cx, cy, r] = [320, 240, 190]
  if (disc(x, y, cx, cy, 7)) return INK
  if (line(x, y, [cx, cy], onCircle(cx, cy, 140, 0.36), 9)) return RED
  if (disc(x, y, cx, cy, r)) {
    for (let mark = 0; mark < 24; mark++) {
      const inner = onCircle(cx, cy, mark % 6 === 0 ? 150 : 166, mark / 24)
      const width = mark % 6 === 0 ? 8 : 3
      if (line(x, y, inner, onCircle(cx, cy, 176, mark / 24), width)) return INK
    }
    return y > cy + 30 + 8 * Math.sin(x / 22) ? mix(PAPER, SEA, 0.35) : PAPER
  }
  if (disc(x, y, cx, cy, r + 16)) return BRASS
  if (gear(x, y, 610, 150, 96, 57)) return mix(BRASS, INK, 0.15)
  if (gear(x, y, 650, 352, 104, 59)) return mix(BRASS, INK, 0.35)
  return mix([232, 226, 212], [206, 214, 210], (x + y) / 1280)
}

function bay(x, y) {
  if (disc(x, y, 612, 112, 46)) return MOON
  const boats = [
    [190, 352],
    [318, 384],
    [520, 366]
  ]
  for (const [bx, by] of boats) {
    const isHull = Math.abs(x - bx) < 34 - (y - by) && y >= by && y < by + 16
    const isSail = y < by - 2 && y > by - 62 && x > bx + 2 && x - bx < (y - by + 64) * 0.5
    if (isHull) return INK
    if (isSail) return FOAM
  }
  const isTower = Math.abs(x - 96) < 15 + (y - 120) / 22 && y > 120 && y < 306
  if (disc(x, y, 96, 108, 17)) return MOON
  if (isTower) return Math.floor((y - 120) / 31) % 2 === 0 ? FOAM : RED
  const beam = x > 96 && Math.abs(y - 108 - (x - 96) * 0.1) < (x - 96) * 0.07
  const hill =
    y > 306 - 62 * Math.exp(-(((x - 90) / 120) ** 2)) - 46 * Math.exp(-(((x - 730) / 150) ** 2))
  if (y >= 306) {
    const wave = Math.sin(x / 34 + y / 5) * 0.5 + 0.5
    const glow = Math.exp(-(((x - 612) / (26 + (y - 306) * 0.4)) ** 2))
    return mix(mix(SEA, NIGHT, (y - 306) / 260), MOON, Math.round(wave) * 0.05 + glow * 0.35)
  }
  if (hill) return mix(INK, SEA, 0.25)
  const sky = mix(NIGHT, DUSK, (y / 306) ** 2)
  return beam ? mix(sky, MOON, 0.35) : sky
}

function avatar(x, y) {
  if (disc(x, y, 100, 66, 15)) return MOON
  if (Math.abs(x - 100) < 17 + (y - 82) / 9 && y > 82 && y < 168) {
    return Math.floor((y - 82) / 22) % 2 === 0 ? FOAM : RED
  }
  const beam = Math.abs(y - 66) < Math.abs(x - 100) * 0.22
  if (y > 160 + 5 * Math.sin(x / 13)) return SEA
  return beam ? mix(NIGHT, MOON, 0.45) : NIGHT
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type), data])
  const head = Buffer.alloc(4)
  head.writeUInt32BE(data.length)
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([head, body, check])
}

/** Colours in steps of four, which compress to a third. */
function colourAt(paint, x, y) {
  const sum = [0, 0, 0]
  for (let i = 0; i < SAMPLES ** 2; i++) {
    const colour = paint(
      x + ((i % SAMPLES) + 0.5) / SAMPLES,
      y + (Math.floor(i / SAMPLES) + 0.5) / SAMPLES
    )
    for (const part of [0, 1, 2]) sum[part] += colour[part]
  }
  return sum.map((part) => Math.round(part / SAMPLES ** 2 / 4) * 4)
}

function draw(name, width, height, paint) {
  const rows = []
  for (let y = 0; y < height; y++) {
    rows.push([2, ...Array.from({ length: width }, (_, x) => colourAt(paint, x, y)).flat()])
  }
  // Filter 2: each byte is the difference to the one above it.
  const filtered = rows.map((row, y) =>
    row.map((part, i) => (i === 0 ? part : (part - (y === 0 ? 0 : rows[y - 1][i])) & 255))
  )
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const png = Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.from(filtered.flat()), { level: 9 })),
    chunk('IEND', Buffer.alloc(0))
  ])
  writeFileSync(join(folder, name), png)
}

draw('tide-clock.png', 800, 480, tideClock)
draw('bay.png', 800, 450, bay)
draw('avatar.png', 200, 200, avatar)
