import { importContractTests } from '../support/contract-tests.ts'

await importContractTests('boxes', 3, 4)
