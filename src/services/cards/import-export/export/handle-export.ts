import type { FastifyReply, FastifyRequest } from 'fastify'
import { RouteNotFound } from '../../../../kernel/errors.ts'
import { sendExportFile, sendExportLines } from '../../../../kernel/exchange/send-export.ts'
import { parseRequestTarget } from '../../../../kernel/request-target.ts'
import type { CardContext } from '../../context.ts'
import { BoardNotPublic } from '../../contract.ts'
import type { Viewer } from '../../records/viewer.ts'
import { countCards } from '../../store/export-board.ts'
import { findNamedBoard } from '../../store/named-board.ts'
import type { BoardRow } from '../../store/rows.ts'
import { boardLines } from './board-lines.ts'
import type { ExportLine } from './export-line.ts'

/** Routes of the console for the export command, below `/export/`. */
export async function handleExport(
  context: CardContext,
  request: FastifyRequest,
  reply: FastifyReply
): Promise<void> {
  const { path, query } = parseRequestTarget(request.url)
  const [what = '', hash = ''] = path.split('/export/')[1]?.split('/') ?? []
  const parameters = new URLSearchParams(query)
  if (what === 'board' || what === 'markdown') await sendBoard(context, what, parameters, reply)
  else if (what !== 'files' || !(await sendExportFile(context.kernel.files, hash, reply))) {
    throw new RouteNotFound(request.method, request.url)
  }
}

async function sendBoard(
  context: CardContext,
  what: 'board' | 'markdown',
  parameters: URLSearchParams,
  reply: FastifyReply
): Promise<void> {
  const board = await context.store.read(() => findNamedBoard(parameters.get('board') ?? undefined))
  const isPublished = parameters.get('published-only') === 'true'
  if (isPublished && board.closed === 1) throw new BoardNotPublic(board.name)
  const choice = { board, isPublished, viewer: viewerOf(board, isPublished) }
  const total = await context.store.read(() => countCards(board.id))
  const lines =
    what === 'board'
      ? boardLines(context, choice)
      : (await import('./markdown-lines.ts')).markdownLines(context, choice)
  await sendExportLines(reply, textLines(lines), total)
}

/** An error ends the response before the last line, which the command then misses. */
async function* textLines(lines: AsyncIterable<ExportLine>): AsyncGenerator<string> {
  for await (const line of lines) yield `${JSON.stringify(line)}\n`
  yield `${JSON.stringify({ end: true } satisfies ExportLine)}\n`
}

/** Only operators reach the console. */
export function viewerOf({ id, owner }: BoardRow, isPublished: boolean): Viewer {
  if (isPublished) return { kind: 'publishable', board: id }
  const rights = { canWrite: false, canAdminister: false, tokenId: '' }
  return { kind: 'member', member: owner, boards: [id], ...rights }
}
