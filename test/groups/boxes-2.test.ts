import { importContractTests } from '../support/contract-tests.ts'

await importContractTests('boxes', 2, 4)
