/** Programs of others as clients, with and without Dovecot, in one process. */
import { join } from 'node:path'
import { importTestFiles } from '../support/import-test-files.ts'

const NAMES = [
  'curl',
  'imapflow',
  'isync',
  'nodemailer',
  'notify',
  'python',
  'webhook-samples',
  'webhooks'
]

await importTestFiles(NAMES.map((name) => join(import.meta.dirname, `mailbox-${name}.ts`)))
