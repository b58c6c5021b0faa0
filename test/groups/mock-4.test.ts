import { importContractTests } from '../support/contract-tests.ts'

await importContractTests('mock', 4, 4)
