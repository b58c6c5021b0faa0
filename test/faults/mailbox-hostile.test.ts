/** Hostile and unreliable clients and servers, in one process. */
import { join } from 'node:path'
import { importTestFiles } from '../support/import-test-files.ts'

const NAMES = ['full-disk', 'hostile-clients', 'hostile-smtp', 'idle-connection', 'injection']

await importTestFiles(NAMES.map((name) => join(import.meta.dirname, `mailbox-${name}.ts`)))
