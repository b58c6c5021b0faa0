import { importUnitTests } from '../support/unit-tests.ts'

await importUnitTests('src/services/mailbox')
