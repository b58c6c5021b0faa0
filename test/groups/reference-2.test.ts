import { importContractTests } from '../support/contract-tests.ts'

await importContractTests('reference', 2, 2)
