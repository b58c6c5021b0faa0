import type { FastifyRequest } from 'fastify'
import { isMultipart } from '../../../kernel/multipart.ts'

const FORM_TYPE = 'application/x-www-form-urlencoded'

/** Whether a form of the page sent the request; for URLs without a box only. */
export function isPageForm({ headers }: FastifyRequest): boolean {
  const type = headers['content-type'] ?? ''
  return type.toLowerCase().startsWith(FORM_TYPE) || isMultipart(type)
}
