import { importContractTests } from '../support/contract-tests.ts'

await importContractTests('countries', 2, 2)
