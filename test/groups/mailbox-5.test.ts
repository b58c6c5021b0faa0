import { importContractTests } from '../support/contract-tests.ts'

await importContractTests(import.meta.filename)
