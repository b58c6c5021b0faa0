import { randomBytes } from 'node:crypto'
import type { WebhookFormat } from '../store/rows.ts'

const BYTES = 32

export function newSecret(format: WebhookFormat): string {
  const bytes = randomBytes(BYTES)
  return format === 'standard' ? `whsec_${bytes.toString('base64')}` : bytes.toString('hex')
}
