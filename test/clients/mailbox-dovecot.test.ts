/** Accounts on Dovecot, in one process: each process takes a second of CPU to start. */
import { join } from 'node:path'
import { importTestFiles } from '../support/import-test-files.ts'

const NAMES = [
  'dovecot-accounts',
  'dovecot-api',
  'dovecot-large',
  'dovecot-messages',
  'dovecot-reading',
  'dovecot-restart',
  'dovecot-submit',
  'dovecot-table'
]

await importTestFiles(NAMES.map((name) => join(import.meta.dirname, `mailbox-${name}.ts`)))
