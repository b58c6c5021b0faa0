import { importContractTests } from '../support/contract-tests.ts'

await importContractTests('scenarios', 2, 3)
