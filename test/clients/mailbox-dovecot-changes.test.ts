/** Changes, sign-in by OAuth2 and IMAP commands on Dovecot, in one process. */
import { join } from 'node:path'
import { importTestFiles } from '../support/import-test-files.ts'

const NAMES = ['dovecot-commands', 'dovecot-oauth2', 'dovecot-watch', 'dovecot-watch-rungs']

await importTestFiles(NAMES.map((name) => join(import.meta.dirname, `mailbox-${name}.ts`)))
