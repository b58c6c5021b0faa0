import type { FastifyReply } from 'fastify'
import { viewBox } from '../box/resolve-box.ts'
import { parseBoxPath } from '../http/box-path.ts'
import { checkKeyForm } from '../http/credentials.ts'
import { exportLines, sendLines } from '../import-export/export.ts'
import type { Submitted } from './form-action.ts'

/** Characters that a file name has on every system. */
const UNUSUAL = /[^\w.-]+/g

/** The records as a download. It is a POST, so that a key can be sent without a script. */
export async function sendExport(
  { context, request, look }: Submitted,
  reply: FastifyReply
): Promise<void> {
  const { box } = parseBoxPath([encodeURIComponent(look.box)], context.options)
  checkKeyForm(look.key)
  const { scope } = await viewBox(context, box, undefined, look.key)
  const name = box.replaceAll(UNUSUAL, '-')
  await sendLines(request, reply, exportLines(context.store.scan, scope, undefined), {
    'content-disposition': `attachment; filename="${name}.ndjson"`
  })
}
