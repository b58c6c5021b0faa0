import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { MISSING_ROUTES } from '../../src/services/mailbox/api/missing-routes.ts'
import { OFFERED_ROUTES } from '../../src/services/mailbox/api/route-table.ts'
import { ROOT } from '../support/launcher.ts'
import { ADMIN_TOKEN, sandboxes } from './mailbox-site.ts'
import { playTable } from './mailbox-table.ts'
import type { TableSite } from './mailbox-table-row.ts'

sandboxes('I-6, the table of routes', {}, (sandbox) => {
  let site: TableSite
  before(async () => {
    const { url, json, deliver, account: add } = sandbox()
    const { account, address, token, imap, smtp } = await add()
    site = {
      ...{ url, account, token, imap, smtp },
      json: (request, status) => json({ token: ADMIN_TOKEN, ...request }, status),
      deliver: (message) => deliver({ to: [address], source: message })
    }
  })

  playTable('an account of the sandbox', ['server', 'store', 'nothing'], () => site)
})

test('docs/how-to/emailengine.md has every route of the table', () => {
  const page = readFileSync(join(ROOT, 'docs/how-to/emailengine.md'), 'utf8')
  const [works = '', missing = ''] = page.split('## What is missing')
  const rowsOf = (text: string) =>
    [...text.matchAll(/^\| (`(?:GET|POST|PUT|DELETE) \/\S+`.*) \|$/gm)].map(([, row]) => row)
  const spell = (pattern: string) => pattern.replace(/:(\w+)/g, '{$1}')
  assert.deepEqual(
    rowsOf(works).slice(0, OFFERED_ROUTES.length),
    OFFERED_ROUTES.map(({ method, pattern, about }) => `\`${method} ${spell(pattern)}\` | ${about}`)
  )
  const terms = { here: '', later: 'later', never: 'no' }
  assert.deepEqual(
    rowsOf(missing),
    MISSING_ROUTES.map(
      ({ method, pattern, offer, about }) =>
        `\`${method} ${spell(pattern)}\` | ${terms[offer]} | ${about}`
    )
  )
})
