import type { FastifyReply, FastifyRequest } from 'fastify'
import { RouteNotFound } from '../../../kernel/errors.ts'
import { sendExportFile, sendExportLines } from '../../../kernel/exchange/send-export.ts'
import { parseRequestTarget } from '../../../kernel/request-target.ts'
import type { StatusContext } from '../context.ts'
import { ExportInvalid } from '../contract.ts'
import { countExportPosts } from '../store/export-posts.ts'
import { archiveLines } from './archive-lines.ts'

/** Routes of the console for the export command, below `/export/`. */
export async function handleExport(
  context: StatusContext,
  request: FastifyRequest,
  reply: FastifyReply
): Promise<void> {
  const { path, query } = parseRequestTarget(request.url)
  const [what = '', hash = ''] = path.split('/export/')[1]?.split('/') ?? []
  const parameters = new URLSearchParams(query)
  if (what === 'archive') await sendArchive(context, parameters, reply)
  else if (what === 'tree') await sendTree(context, parameters, reply)
  else if (what !== 'files' || !(await sendExportFile(context.kernel.files, hash, reply))) {
    throw new RouteNotFound(request.method, request.url)
  }
}

/** The lines of `nonet-statuses.jsonl`. */
async function sendArchive(
  { store }: StatusContext,
  parameters: URLSearchParams,
  reply: FastifyReply
): Promise<void> {
  const isPublicOnly = parameters.get('public-only') === 'true'
  const visibilities = isPublicOnly ? (['public'] as const) : (['public', 'hidden'] as const)
  const total = await store.read(() => countExportPosts(visibilities))
  await sendExportLines(reply, archiveLines(store, visibilities), total)
}

/** A line for each file of the static tree. */
async function sendTree(
  context: StatusContext,
  parameters: URLSearchParams,
  reply: FastifyReply
): Promise<void> {
  const { openTree, treeLines } = await import('./tree.ts')
  const tree = await openTree(context, baseUrlOf(parameters.get('base-url')))
  const total = tree.accounts.reduce((sum, { posts }) => sum + posts, 0)
  await sendExportLines(reply, treeLines(tree), total)
}

function baseUrlOf(given: string | null): string {
  const url = URL.parse(given ?? '')
  if (url !== null && /^https?:$/.test(url.protocol)) {
    return (url.origin + url.pathname).replace(/\/+$/, '')
  }
  throw new ExportInvalid('The base URL must be an http or https URL')
}
