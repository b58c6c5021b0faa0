import { crc32, deflateSync } from 'node:zlib'
import { LABEL_COLORS } from '../../src/services/cards/records/label-colors.ts'
import { objectId } from './cards-import.ts'
import type { Random } from './random.ts'

export interface RandomBoard {
  board: object
  files: Record<string, Uint8Array>
}

const WORDS = [
  'Harbour',
  'Żółw',
  '船',
  'clay',
  '🎈',
  '<b>',
  '"q"',
  'two  spaces',
  '\u2028',
  'C:\\x'
] as const

/**
 * An export of nonet. Of its cards about 1/2 are in a published list, 1/6 closed, 1/8 templates,
 * 1/3 with a date, 1/2 with labels; each has 0 to 2 attachments, of which 1/3 are links, 1/3 images,
 * 1/6 other files and 1/6 missing; half of the images have alt texts. 1/3 have a checklist, 1/2
 * values of the five types of fields, 1/2 were published, 1/4 of those with former slugs.
 */
export function randomBoard(random: Random, cards: number): RandomBoard {
  let last = random.below(1_000_000) * 1_000
  const id = () => objectId(++last)
  const chance = (of: number) => random.below(of) === 0
  const text = (most: number) =>
    Array.from({ length: random.below(most) + 1 }, () => random.pick(WORDS)).join(' ')
  const time = () =>
    new Date(
      1_500_000_000_000 + random.below(300_000_000) * 1_000 + random.below(1_000)
    ).toISOString()
  const link = () =>
    Array.from(
      { length: 8 },
      () => 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'[random.below(62)]
    ).join('')
  const files: Record<string, Uint8Array> = {}
  const owner = { id: id(), username: `ada_${random.below(1_000)}`, fullName: 'Ada Ó Brook' }
  const lists = (['draft', 'published', 'published', 'archive'] as const).map((role) => ({
    ...{ id: id(), name: text(3), closed: chance(6), pos: random.below(1e9) / 3 },
    nonet: { role }
  }))
  const labels = Array.from({ length: 5 }, () => ({
    ...{ id: id(), name: chance(4) ? '' : text(2) },
    color: chance(4) ? null : (LABEL_COLORS[random.below(LABEL_COLORS.length)] ?? null)
  }))
  const fields = (['date', 'text', 'number', 'checkbox', 'list'] as const).map((type) => ({
    ...{ id: id(), name: text(2), type, pos: random.below(1e9) / 7 },
    display: { cardFront: chance(2) },
    fieldGroup: Buffer.from(random.bytes(32)).toString('hex'),
    ...(type === 'list' && {
      options: Array.from({ length: 3 }, (_, index) => ({
        ...{ id: id(), value: { text: text(2) }, color: chance(2) ? 'none' : 'green', pos: index }
      }))
    })
  }))
  const randomValue = (field: (typeof fields)[number]): object => {
    if (field.type === 'list') return { idValue: field.options?.[random.below(3)]?.id }
    const values = {
      date: { date: time() },
      text: { text: text(3) },
      number: { number: random.pick(['10', '-0.5', '1e21', '123456789012345678901']) },
      checkbox: { checked: 'true' }
    }
    return { value: values[field.type] }
  }
  const attachment = (index: number) => {
    const own = id()
    const shared = { id: own, name: text(2), pos: 16_384 * (index + 1), date: time() }
    const kind = random.below(6)
    if (kind < 2)
      return { ...shared, isUpload: false, url: `https://site.example/${own}?a=1#b`, mimeType: '' }
    const isImage = kind < 4
    const fileName = isImage ? `picture ${index}.png` : 'notes.txt'
    if (kind < 5) {
      files[`attachments/${own}/${fileName}`] = isImage
        ? picture(random)
        : random.bytes(1 + random.below(300))
    }
    return {
      ...{ ...shared, isUpload: true, fileName, mimeType: isImage ? 'image/png' : 'text/plain' },
      url: `attachments/${own}/${fileName}`,
      ...(kind === 5 && { bytes: random.below(1e6) }),
      ...(isImage && chance(2) && { alt: text(4) })
    }
  }
  const checklists: object[] = []
  const made = Array.from({ length: cards }, (_, index) => {
    const own = id()
    const attachments = Array.from({ length: random.below(3) }, (_unused, at) => attachment(at))
    const image = attachments.find(({ mimeType }) => mimeType === 'image/png')
    if (chance(3)) {
      checklists.push({
        ...{ id: id(), idCard: own, name: text(2), pos: random.below(1e6) },
        checkItems: Array.from({ length: random.below(4) }, (_unused, at) => ({
          ...{ id: id(), name: text(3), state: chance(2) ? 'complete' : 'incomplete', pos: at },
          due: chance(3) ? time() : null
        }))
      })
    }
    const slug = `card-${own.slice(-6)}`
    return {
      ...{ id: own, name: text(3), desc: text(30), closed: chance(6), pos: random.below(1e9) / 9 },
      idList: lists[random.below(lists.length)]?.id,
      ...{ idShort: index + 1, shortLink: link(), dateLastActivity: time() },
      ...{
        due: chance(3) ? time() : null,
        dueComplete: chance(2),
        start: chance(3) ? time() : null
      },
      ...{ dueReminder: chance(3) ? 60 : null, isTemplate: chance(8) },
      idMembers: chance(2) ? [owner.id] : [],
      cover: {
        ...{
          idAttachment: image?.id ?? null,
          color: image === undefined && chance(2) ? 'lime' : null
        },
        ...{ size: chance(2) ? 'full' : 'normal', brightness: chance(2) ? 'light' : 'dark' }
      },
      manualCoverAttachment: chance(2),
      ...(chance(4) && {
        address: 'Main St',
        locationName: text(1),
        coordinates: { latitude: 1.5, longitude: -2 }
      }),
      idLabels: labels.filter(() => chance(4)).map((label) => label.id),
      customFieldItems: fields
        .filter(() => chance(2))
        .map((field) => ({ id: id(), idCustomField: field.id, ...randomValue(field) })),
      attachments,
      ...(chance(2) && {
        nonet: {
          ...{ slug, publishedAt: time(), isSlugSet: true },
          formerSlugs: chance(4) ? [`${slug}-old`, `${slug}-older`] : []
        }
      })
    }
  })
  const actions = made
    .filter(() => chance(2))
    .map((card) => ({
      ...{ id: id(), type: chance(2) ? 'commentCard' : 'updateCard', date: time() },
      data: { card: { id: card.id, name: card.name }, text: text(5), old: { name: text(1) } }
    }))
  const board = {
    ...{ id: id(), name: text(2), desc: text(9), closed: false, shortLink: link() },
    prefs: {
      permissionLevel: random.pick(['private', 'public', 'org']),
      background: 'lime',
      voting: 'members'
    },
    labelNames: { green: text(2) },
    nonet: {
      ...{ format: 'nonet-cards-1', slug: `board-${last}`, timeZone: 'Asia/Tokyo' },
      ...{ completedField: fields[0]?.id, urlField: chance(2) ? fields[1]?.id : null },
      ...{ lastNumber: cards + random.below(5), owner }
    },
    ...{ lists, labels, customFields: fields, cards: made, checklists, actions }
  }
  return { board, files }
}

/** A PNG of one colour with a few pixels. */
function picture(random: Random): Uint8Array {
  const [width, height] = [1 + random.below(20), 1 + random.below(20)]
  const row = Buffer.concat([Buffer.from([0]), ...Array(width).fill(Buffer.from(random.bytes(3)))])
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2], 8)
  const chunk = (type: string, data: Uint8Array) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const ends = Buffer.alloc(8)
    ends.writeUInt32BE(data.length, 0)
    ends.writeUInt32BE(crc32(body), 4)
    return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)])
  }
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(Array(height).fill(row)))),
    chunk('IEND', Buffer.alloc(0))
  ])
}
