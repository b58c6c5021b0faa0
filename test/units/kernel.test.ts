import { importUnitTests } from '../support/unit-tests.ts'

await importUnitTests('src/kernel', 'src/host', 'src/console', 'src/cli')
