import { importContractTests } from '../support/contract-tests.ts'

await importContractTests('forms', 2, 2)
