import { importContractTests } from '../support/contract-tests.ts'

await importContractTests('scenarios', 1, 3)
