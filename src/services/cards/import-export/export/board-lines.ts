import type { CardContext } from '../../context.ts'
import { presentAction } from '../../present/action.ts'
import { presentBoard } from '../../present/board.ts'
import { presentChecklist } from '../../present/checklist.ts'
import { presentField } from '../../present/field.ts'
import { presentLabel } from '../../present/label.ts'
import { presentList } from '../../present/list.ts'
import { MEMBER_SUMMARY, presentMember } from '../../present/member.ts'
import type { CardParts } from '../../records/card-parts.ts'
import { createdAt } from '../../records/ids.ts'
import type { Viewer } from '../../records/viewer.ts'
import {
  actionsBefore,
  checklistsAfter,
  formerSlugs,
  lastActivity
} from '../../store/export-board.ts'
import { readLabels } from '../../store/labels.ts'
import { readLists } from '../../store/lists.ts'
import { readMember } from '../../store/members.ts'
import { readCards } from '../../store/read-cards.ts'
import { readFields } from '../../store/read-fields.ts'
import type { BoardRow, MemberRow } from '../../store/rows.ts'
import { OWN_FORMAT } from '../parse/parse-export.ts'
import type { ExportLine } from './export-line.ts'
import { exportedCard, fileLines } from './exported-card.ts'

const BOARD_FILE = 'board.json'
const PAGE = 200
const MAX_LABELS = 1_000
const INCLUDE = { labels: true, items: true, attachments: true, counts: true } as const

/** URLs of objects are paths: they depend on nothing but the board. */
const NO_HOST = ''

export interface BoardExport {
  readonly board: BoardRow
  readonly viewer: Viewer
  readonly isPublished: boolean
}

/** The lines of `board.json`, with one object per line, and of the files of its cards. */
export async function* boardLines(
  { store }: CardContext,
  { board, viewer, isPublished }: BoardExport
): AsyncGenerator<ExportLine> {
  const view = { baseUrl: NO_HOST, isPublished }
  const owner = isPublished ? undefined : await store.read(() => readMember(board.owner))
  const activity = isPublished ? null : await store.read(() => lastActivity(board.id))
  const time = activity ?? createdAt(board.id)
  const head = {
    ...presentBoard(board, view),
    ...{ dateLastActivity: time, dateLastView: time },
    nonet: boardFacts(board, owner)
  }
  yield piece(JSON.stringify(head).slice(0, -1))
  yield* array('actions', isPublished ? none() : actions())
  yield* array('cards', cards())
  yield* array('labels', labels())
  yield* array('lists', lists())
  yield* array('members', members())
  yield* array('checklists', isPublished ? none() : checklists())
  yield* array('customFields', fields())
  yield piece(',\n"pluginData":[]}\n')

  /** `object`s are parts of the array; other lines pass. */
  async function* array(
    name: string,
    parts: AsyncIterable<{ object: object } | ExportLine>
  ): AsyncGenerator<ExportLine> {
    yield piece(`,\n${JSON.stringify(name)}:[`)
    let isFirst = true
    for await (const part of parts) {
      if ('object' in part) {
        yield piece(`${isFirst ? '' : ','}\n${JSON.stringify(part.object)}`, name === 'cards')
        isFirst = false
      } else yield part
    }
    yield piece(']')
  }

  async function* actions(): AsyncGenerator<{ object: object }> {
    for (let before: number | undefined = Number.MAX_SAFE_INTEGER; before !== undefined; ) {
      const from: number = before
      const page = await store.read(() => actionsBefore(board.id, from, PAGE))
      for (const action of page) yield { object: presentAction(action, NO_HOST) }
      before = page.length < PAGE ? undefined : page.at(-1)?.number
    }
  }

  async function* cards(): AsyncGenerator<{ object: object } | ExportLine> {
    for await (const page of cardPages({ store }, viewer, board.id)) {
      const former = await store.read(() => formerSlugs(page.map(({ card }) => card.id)))
      for (const parts of page) {
        yield* fileLines(parts, view)
        yield { object: exportedCard(parts, former.get(parts.card.id) ?? [], view) }
      }
    }
  }

  async function* labels(): AsyncGenerator<{ object: object }> {
    const rows = await store.read(() => readLabels(viewer, board.id, MAX_LABELS))
    for (const row of rows) yield { object: presentLabel(row) }
  }

  async function* lists(): AsyncGenerator<{ object: object }> {
    const rows = await store.read(() => readLists(viewer, board.id, 'all'))
    for (const row of rows) yield { object: { ...presentList(row), nonet: { role: row.role } } }
  }

  async function* members(): AsyncGenerator<{ object: object }> {
    if (owner === undefined) return
    const whole = presentMember(owner, NO_HOST)
    yield { object: Object.fromEntries(MEMBER_SUMMARY.map((name) => [name, whole[name]])) }
  }

  async function* checklists(): AsyncGenerator<{ object: object }> {
    for (let after: string | undefined = ''; after !== undefined; ) {
      const from: string = after
      const page = await store.read(() => checklistsAfter(board.id, from, PAGE))
      for (const parts of page) yield { object: presentChecklist(parts) }
      after = page.length < PAGE ? undefined : page.at(-1)?.checklist.id
    }
  }

  async function* fields(): AsyncGenerator<{ object: object }> {
    for (const parts of await store.read(() => readFields(viewer, board.id))) {
      yield { object: presentField(parts) }
    }
  }
}

async function* none(): AsyncGenerator<never> {}

function piece(text: string, isCard = false): ExportLine {
  return { path: BOARD_FILE, text, ...(isCard && { isCard }) }
}

/** The newest cards first. */
export async function* cardPages(
  { store }: Pick<CardContext, 'store'>,
  viewer: Viewer,
  board: string
): AsyncGenerator<CardParts[]> {
  for (let before: string | undefined; ; ) {
    const from: string | undefined = before
    const page = await store.read(() =>
      readCards(viewer, { board, before: from, limit: PAGE }, INCLUDE)
    )
    const newest = page.toSorted((one, other) => (one.card.id < other.card.id ? 1 : -1))
    yield newest
    before = newest.at(-1)?.card.id
    if (newest.length < PAGE || before === undefined) return
  }
}

/** What exports of Trello do not have. */
function boardFacts(board: BoardRow, owner: MemberRow | undefined): object {
  return {
    format: OWN_FORMAT,
    slug: board.slug,
    timeZone: board.time_zone,
    completedField: board.completed_field,
    urlField: board.url_field,
    ...(owner !== undefined && {
      lastNumber: board.last_number,
      owner: { id: owner.id, username: owner.user_name, fullName: owner.full_name }
    })
  }
}
