import type { CardContext } from '../context.ts'
import { TypesUrlInvalid } from '../contract.ts'
import { webUrl } from '../records/web-url.ts'
import { readBoardParts } from '../store/content.ts'
import { findNamedBoard } from '../store/named-board.ts'
import { typedClient } from './typed-client.ts'

/** The response of the console to `nonet types cards`; `query` has the flags. */
export async function readTypes(context: CardContext, query: unknown): Promise<string> {
  const { board, url } = query as { board?: string; url?: string }
  const chosen = await context.store.read(() => findNamedBoard(board))
  const viewer = { kind: 'preview', board: chosen.id, card: undefined } as const
  const parts = await context.store.read(() => readBoardParts(viewer, chosen.id))
  return typedClient(chosen, parts, readUrl(url) ?? context.kernel.localUrl())
}

function readUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const url = webUrl(text)
  if (url === undefined) throw new TypesUrlInvalid(text)
  return url.replace(/\/+$/, '')
}
