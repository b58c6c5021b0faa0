import type { FastifyInstance, FastifyRequest } from 'fastify'
import { frameWith, sendPage } from '../../../kernel/send-page.ts'
import { viewFreely } from '../box/resolve-box.ts'
import type { BoxContext } from '../context.ts'
import { BoxUnknown } from '../contract.ts'
import { parseBoxPath } from '../http/box-path.ts'
import { countRecords } from '../list/row-batches.ts'
import { createScanBudget } from '../list/scan-budget.ts'
import { exportLines, sendLines } from './export.ts'
import { importLines } from './import.ts'

/** Status of rejected lines, as of the public route. */
const REJECTED = 422

type Asked = FastifyRequest<{
  Querystring: { box?: string; line?: string; part?: string; after?: string }
}>

/** Routes of the console for the operator: no key is checked, because the console is protected. */
export function consoleRoutes(console: FastifyInstance, context: BoxContext): void {
  const { store, options, kernel } = context

  function boxOf({ query: { box = '' } }: Asked): string {
    return parseBoxPath(box === '' ? [] : [encodeURIComponent(box)], options).box
  }

  async function knownBoxOf(request: Asked): Promise<string> {
    const box = boxOf(request)
    if (!(await store.isKnown(box))) throw new BoxUnknown(box)
    return box
  }

  // Bodies are not parsed, whatever their content type.
  console.removeAllContentTypeParsers()
  console.addContentTypeParser('*', (_request, _payload, done) => done(null))

  const { frameOf } = console
  frameWith(console, (request) => ({ ...frameOf(request), service: 'boxes' }))
  console.get('/', async (request: Asked, reply) => {
    const { readAllBoxes } = await import('../pages/operator.ts')
    const { consolePage } = await import('../pages/box-page.ts')
    const { part = '', after = '' } = request.query
    const { services } = frameOf(request)
    const base = services.find(({ name }) => name === 'boxes')?.href.replace(/\/$/, '') ?? ''
    return sendPage(reply, consolePage(await readAllBoxes(store, { part, after }), base))
  })

  console.get('/export', async (request: Asked, reply) => {
    const { scope } = await viewFreely(context, await knownBoxOf(request))
    const count = await countRecords(store.scan, scope, createScanBudget(Number.POSITIVE_INFINITY))
    const lines = exportLines(store.scan, scope, undefined)
    await sendLines(request, reply, lines, { 'x-total-count': String(count) })
  })

  console.post('/import', async (request: Asked, reply) => {
    const target = { box: boxOf(request), key: undefined, operator: true }
    const dependencies = { store, options, now: kernel.now }
    const done = await importLines(
      dependencies,
      target,
      request.raw,
      Number(request.query.line ?? 1)
    )
    return reply.code(done.refused > 0 ? REJECTED : 200).send(done)
  })

  console.post('/owner', async (request: Asked) => {
    const box = await knownBoxOf(request)
    return { box, key: await store.resetOwner(box) }
  })

  console.delete('/box', async (request: Asked) => {
    const box = await knownBoxOf(request)
    await store.removeBox({ box, key: undefined, operator: true })
    return { box }
  })
}
