import { importContractTests } from '../support/contract-tests.ts'

await importContractTests('boxes', 1, 4)
