import { parseRequestTarget } from '../../../kernel/request-target.ts'
import type { Finding } from '../../../kernel/service.ts'
import type { CardContext } from '../context.ts'
import { cardPages } from '../import-export/export/board-lines.ts'
import { viewerOf } from '../import-export/export/handle-export.ts'
import { readLists } from '../store/lists.ts'
import { findNamedBoard, someBoards } from '../store/named-board.ts'
import { readFields } from '../store/read-fields.ts'
import type { BoardRow } from '../store/rows.ts'
import { cardFindings } from './card-findings.ts'
import { mappingFindings } from './mapping-findings.ts'

const MAX_BOARDS = 1_000
/** More are counted only. */
const MAX_FINDINGS = 1_000

/** `GET /check?board=` of the console. */
export async function handleCheck(
  context: CardContext,
  url: string
): Promise<{ findings: Finding[] }> {
  const name = new URLSearchParams(parseRequestTarget(url).query).get('board')
  const boards =
    name === null
      ? await context.store.read(() => someBoards(MAX_BOARDS))
      : [await context.store.read(() => findNamedBoard(name))]
  const findings: Finding[] = []
  let more = 0
  for (const board of boards) {
    for await (const finding of checkBoard(context, board)) {
      if (findings.length < MAX_FINDINGS) findings.push(finding)
      else more++
    }
  }
  if (more > 0) {
    findings.push({ level: 'warning', where: 'all boards', text: `${more} more findings` })
  }
  return { findings }
}

async function* checkBoard(context: CardContext, board: BoardRow): AsyncGenerator<Finding> {
  const { store, kernel } = context
  const viewer = viewerOf(board, false)
  const fields = await store.read(() => readFields(viewer, board.id))
  const rows = await store.read(() => readLists(viewer, board.id, 'all'))
  const lists = new Map(rows.map((list) => [list.id, list]))
  yield* mappingFindings(
    board,
    fields.map(({ field }) => field)
  )
  for await (const page of cardPages(context, viewer, board.id)) {
    for (const parts of page) {
      const missing = new Set<string>()
      for (const { id, url: link, hash, bytes } of parts.attachments) {
        const isStored = hash !== null && (await kernel.files.size(hash)) === bytes
        if (link === null && !isStored) missing.add(id)
      }
      yield* cardFindings(parts, board, lists.get(parts.card.list), missing)
    }
  }
}
