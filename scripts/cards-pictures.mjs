/**
 * Draws the pictures of the sample board, which are attachments in `board.json`, and writes what a
 * start needs to know of them to `images.json`: `node scripts/cards-pictures.mjs`.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import sharp from 'sharp'

const folder = join(import.meta.dirname, '..', 'data', 'cards')
const WIDTH = 1280
const HEIGHT = 800

const range = (count) => Array.from({ length: count }, (_, index) => index)
const svg = (body, ground) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 1280 800">` +
  `<rect width="1280" height="800" fill="${ground}"/>${body}</svg>`
const circle = (x, y, r, fill, more = '') =>
  `<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}" ${more}/>`
const path = (d, fill, more = '') => `<path d="${d}" fill="${fill}" ${more}/>`
const wave = (y, height, shift) =>
  `M0 ${y} ${range(9)
    .map((i) => `Q ${i * 160 + 80 + shift} ${y - height} ${(i + 1) * 160} ${y}`)
    .join(' ')} V 800 H 0 Z`

const PICTURES = {
  'harbour-lights': () =>
    svg(
      circle(980, 210, 90, '#f6d58b') +
        range(14)
          .map((i) => circle(60 + i * 92, 430 - (i % 3) * 26, 9, '#f2b33d'))
          .join('') +
        path('M0 470 H1280 V800 H0 Z', '#123a4a') +
        range(6)
          .map((i) =>
            path(wave(520 + i * 48, 16 + i * 3, i * 11), '#1f6b78', `opacity="${0.25 + i * 0.1}"`)
          )
          .join(''),
      '#1d2b48'
    ),
  'harbour-lights-plan': () =>
    svg(
      range(7)
        .map(
          (i) =>
            `<line x1="0" x2="1280" y1="${100 + i * 100}" y2="${100 + i * 100}" stroke="#c9d5d2" stroke-width="2"/>`
        )
        .join('') +
        '<polyline points="120,640 340,520 520,560 760,330 980,380 1170,190" fill="none" stroke="#0d6e6e" stroke-width="10"/>' +
        [
          [120, 640],
          [340, 520],
          [520, 560],
          [760, 330],
          [980, 380],
          [1170, 190]
        ]
          .map(([x, y]) => circle(x, y, 26, '#f6f4ec', 'stroke="#0d6e6e" stroke-width="10"'))
          .join(''),
      '#f6f4ec'
    ),
  'bicycle-bridge': () =>
    svg(
      path('M0 560 H1280 V800 H0 Z', '#7aa3a5') +
        '<path d="M80 560 Q640 60 1200 560" fill="none" stroke="#33403a" stroke-width="22"/>' +
        range(12)
          .map((i) => {
            const x = 160 + i * 88
            const t = (x - 80) / 1120
            const y = (1 - t) ** 2 * 560 + 2 * t * (1 - t) * 60 + t ** 2 * 560
            return `<line x1="${x}" x2="${x}" y1="${y}" y2="560" stroke="#33403a" stroke-width="6"/>`
          })
          .join('') +
        '<rect x="40" y="548" width="1200" height="26" fill="#b4532f"/>',
      '#e6ead9'
    ),
  'night-bus': () =>
    svg(
      [
        ['#e0574f', 'M80 640 H420 L620 440 H1200'],
        ['#f0b429', 'M80 200 H500 L740 440 V760'],
        ['#4aa3c7', 'M240 40 V360 L520 640 H1200']
      ]
        .map(
          ([color, d]) =>
            `<path d="${d}" fill="none" stroke="${color}" stroke-width="26" stroke-linejoin="round" stroke-linecap="round"/>`
        )
        .join('') +
        [
          [420, 640],
          [740, 440],
          [500, 200],
          [240, 360],
          [1000, 440],
          [900, 640]
        ]
          .map(([x, y]) => circle(x, y, 24, '#10151f', 'stroke="#f4f1e8" stroke-width="10"'))
          .join(''),
      '#10151f'
    ),
  clay: () =>
    svg(
      path('M420 640 C300 560 330 330 470 250 H810 C950 330 980 560 860 640 Z', '#b66a43') +
        range(7)
          .map(
            (i) =>
              `<path d="M${380 - i * 4 + Math.abs(3 - i) * 16} ${330 + i * 44} Q640 ${370 + i * 44} ${900 + i * 4 - Math.abs(3 - i) * 16} ${330 + i * 44}" fill="none" stroke="#8f4c2c" stroke-width="7"/>`
          )
          .join('') +
        '<ellipse cx="640" cy="250" rx="170" ry="34" fill="#7a3f24"/>',
      '#efe3d3'
    ),
  'tide-clock': () =>
    svg(
      circle(640, 400, 300, '#f7f5ee', 'stroke="#22576b" stroke-width="24"') +
        range(24)
          .map((i) => {
            const angle = (i / 24) * 2 * Math.PI
            const inner = i % 6 === 0 ? 226 : 252
            const at = (r) => `${640 + r * Math.sin(angle)} ${400 - r * Math.cos(angle)}`
            return `<path d="M${at(inner)} L${at(276)}" stroke="#22576b" stroke-width="${i % 6 === 0 ? 14 : 6}"/>`
          })
          .join('') +
        '<path d="M640 400 L776 268" stroke="#c8442f" stroke-width="18" stroke-linecap="round"/>' +
        circle(640, 400, 22, '#22576b'),
      '#bcd6d6'
    ),
  'small-museum': () =>
    svg(
      range(12)
        .map((i) => {
          const [x, y] = [150 + (i % 4) * 330, 150 + Math.floor(i / 4) * 250]
          const colors = ['#7b5ea7', '#c98bb9', '#3f7d74', '#d9a441']
          const shape =
            i % 3 === 0
              ? circle(x, y, 74, colors[i % 4])
              : i % 3 === 1
                ? `<rect x="${x - 70}" y="${y - 70}" width="140" height="140" rx="16" fill="${colors[i % 4]}"/>`
                : path(`M${x} ${y - 84} L${x + 84} ${y + 70} H${x - 84} Z`, colors[i % 4])
          return shape
        })
        .join(''),
      '#f3eef6'
    )
}

const ENCODERS = {
  jpg: (image) => image.jpeg({ quality: 78, mozjpeg: true }),
  png: (image) => image.resize(960).png({ palette: true, colours: 48, effort: 10 }),
  webp: (image) => image.webp({ quality: 76, effort: 6 })
}

/** What the service would find out about an upload by decoding it. */
async function factsOf(bytes, mediaType) {
  const { width, height } = await sharp(bytes).metadata()
  const pixel = await sharp(bytes).resize(1, 1, { fit: 'fill' }).raw().toBuffer()
  return { mediaType, width, height, color: `#${pixel.subarray(0, 3).toString('hex')}` }
}

const images = {}
const board = JSON.parse(readFileSync(join(folder, 'board.json'), 'utf8'))
rmSync(join(folder, 'attachments'), { recursive: true, force: true })
for (const card of board.cards) {
  for (const attachment of card.attachments) {
    const { id, fileName, isUpload } = attachment
    if (!isUpload) continue
    const [, name, extension] = /^(.+)\.(\w+)$/.exec(fileName)
    const bytes = await ENCODERS[extension](sharp(Buffer.from(PICTURES[name]()))).toBuffer()
    const target = join(folder, 'attachments', id, fileName)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, bytes)
    images[id] = await factsOf(bytes, attachment.mimeType)
    attachment.bytes = bytes.length
    attachment.url = `attachments/${id}/${fileName}`
  }
}
writeFileSync(join(folder, 'board.json'), `${JSON.stringify(board, undefined, 2)}\n`)
writeFileSync(join(folder, 'images.json'), `${JSON.stringify(images, undefined, 2)}\n`)
