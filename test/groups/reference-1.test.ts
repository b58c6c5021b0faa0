import { importContractTests } from '../support/contract-tests.ts'

await importContractTests('reference', 1, 2)
