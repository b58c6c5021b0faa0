import type { FastifyReply, FastifyRequest } from 'fastify'
import { isMultipart } from '../../../kernel/multipart.ts'
import type { BoxContext } from '../context.ts'
import { readBody } from '../http/body.ts'
import { sendExport } from './export-form.ts'
import type { Submitted } from './form-action.ts'
import { sendBox, sendStart } from './home.ts'
import { handleImportForm } from './import-form.ts'
import { type PageRequest, pageUrl, readPageRequest } from './page-request.ts'
import { findRecordAction } from './record-actions.ts'
import { keepRejection, type Rejection } from './rejection.ts'
import { findTabAction } from './tab-actions.ts'

/** Runs the action of the button; after an error, the page shows the input again. */
export async function handleForm(
  context: BoxContext,
  request: FastifyRequest,
  reply: FastifyReply
): Promise<void> {
  if (isMultipart(request.headers['content-type'])) {
    return handleImportForm(context, request, reply)
  }
  const body = await readBody(request.raw, context.options.maxRequestBytes)
  const fields = new URLSearchParams(body?.toString())
  const look = readPageRequest(fields, request.headers)
  const [name = '', object = ''] = split(fields.get('action') ?? '')
  const submitted: Submitted = { context, request, look, fields, object }
  if (name === 'export') return sendExport(submitted, reply)
  const action = findRecordAction(name) ?? findTabAction(name)
  if (action === undefined) return sendBox(context, request, reply, look)
  const result = await action(submitted).catch((error: Rejection) => ({
    rejection: keepRejection(error)
  }))
  if ('rejection' in result) return sendStart(context, request, reply, {}, result.rejection)
  if ('look' in result) return sendBox(context, request, reply, result.look, result.extra)
  // A key of a form is not part of the URL, so the next page is sent at once.
  if (fields.get('key')) {
    return sendBox(context, request, reply, { ...usual(look), ...result.done })
  }
  await reply.redirect(pageUrl(result.done), 303)
}

/** The same tab of the same box, with the key. */
function usual({ box, tab, key }: PageRequest): PageRequest {
  return {
    ...{ box, tab, key },
    ...{ q: '', cursor: '', record: '', view: 'table', mode: 'show', name: '' }
  }
}

function split(action: string): [string, string] {
  const space = action.indexOf(' ')
  return space === -1 ? [action, ''] : [action.slice(0, space), action.slice(space + 1)]
}
