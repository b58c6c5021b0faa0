import { randomBytes } from 'node:crypto'
import { STANDARD_PREFIX } from '../../../kernel/webhook-signature.ts'
import type { WebhookFormat } from '../store/rows.ts'

const BYTES = 32

export function newSecret(format: WebhookFormat): string {
  const bytes = randomBytes(BYTES)
  return format === 'standard' ? STANDARD_PREFIX + bytes.toString('base64') : bytes.toString('hex')
}
