import { importContractTests } from '../support/contract-tests.ts'

await importContractTests('forms', 1, 2)
