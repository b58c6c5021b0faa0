import assert from 'node:assert/strict'
import { after } from 'node:test'
import { contract, type Row } from '../support/contract.ts'
import { openWebhook } from '../support/webhook.ts'
import {
  CHARSET_ROWS,
  type FormRow,
  REQUEST_ROWS,
  SEED_ROWS,
  SHORT_TIMEOUT_MS,
  TIMEOUT_MS,
  TIMEOUT_ROWS,
  WEBHOOK_ANSWERS,
  WEBHOOK_ROWS
} from './forms-table.ts'

const webhook = await openWebhook(WEBHOOK_ANSWERS)
after(() => webhook.close())

/** Each row also counts what reached the webhook, or did not. */
function counted({ proves, send, expect, forwards = [] }: FormRow): Row {
  return {
    proves,
    send,
    expect: {
      ...expect,
      check() {
        const posts = webhook.take().filter(({ method }) => method === 'POST')
        assert.deepEqual(
          posts.map(({ body }) => body),
          forwards
        )
      }
    }
  }
}

const subject = {
  service: 'forms',
  options: { webhook: webhook.url, timeoutMs: TIMEOUT_MS }
} as const

contract('I-5, what the seed shows', subject, SEED_ROWS.map(counted))
contract('I-5, requests beyond the seed', subject, REQUEST_ROWS.map(counted))
contract('I-5, charsets', subject, CHARSET_ROWS.map(counted))
contract('I-5, webhooks beyond the seed', subject, WEBHOOK_ROWS.map(counted))

const hasty = {
  service: 'forms',
  options: { webhook: webhook.url, timeoutMs: SHORT_TIMEOUT_MS }
} as const

contract('I-5, webhooks that time out', hasty, TIMEOUT_ROWS.map(counted))
