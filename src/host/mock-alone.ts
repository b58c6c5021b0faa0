import { mock } from '../services/mock/index.ts'
import { createReader } from './configuration-reader.ts'

/** `nonet mock` and `nonet proxy`: the other services are not even read from the disk. */
export const { fromEnvironment, fromFile, fromObject, configure } = createReader([mock])

export const checkDocument = mock.tools?.check

export { checkTransforms } from '../services/mock/index.ts'
