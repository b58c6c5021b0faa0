import {
  checkDocuments as checkMocked,
  checkTransforms as checkRules,
  findCollections as findMocked,
  type MockOptions,
  mock
} from '../services/mock/index.ts'
import { type Configuration, createReader } from './configuration-reader.ts'

/** `nonet mock` and `nonet proxy`: the other services are not even read from the disk. */
export const { fromEnvironment, fromFile, fromObject, configure } = createReader([mock])

export { type ConvertOptions, convertDocument } from '../services/mock/index.ts'

/** Findings of each document that would be served. */
export function checkDocuments({ options }: Configuration): ReturnType<typeof checkMocked> {
  return checkMocked(options.mock as MockOptions)
}

/** Findings of the files with rules, if there are any. */
export function checkTransforms({ options }: Configuration): ReturnType<typeof checkRules> {
  return checkRules(options.mock as MockOptions)
}

/** What would be kept with `--state`, a line each. */
export function findCollections({ options }: Configuration): ReturnType<typeof findMocked> {
  return findMocked(options.mock as MockOptions)
}
