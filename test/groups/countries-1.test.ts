import { importContractTests } from '../support/contract-tests.ts'

await importContractTests('countries', 1, 2)
