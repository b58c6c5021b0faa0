import { importGroup } from '../support/test-groups.ts'

await importGroup(import.meta.filename)
