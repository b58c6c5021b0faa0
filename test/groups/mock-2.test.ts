import { importContractTests } from '../support/contract-tests.ts'

await importContractTests('mock', 2, 4)
