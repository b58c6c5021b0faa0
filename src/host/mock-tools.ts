import {
  checkHooks as checkHooksModule,
  checkDocuments as checkMocked,
  checkTransforms as checkRules,
  findCollections as findMocked,
  type MockOptions,
  mock
} from '../services/mock/index.ts'
import { type Configuration, createReader } from './configuration-reader.ts'

/** For `nonet mock` and `nonet proxy`, which do not load the other services. */
export const { fromEnvironment, fromFile, fromObject, configure } = createReader([mock])

export { type ConvertOptions, convertDocument } from '../services/mock/index.ts'

/** Findings of each configured document. */
export function checkDocuments({ options }: Configuration): ReturnType<typeof checkMocked> {
  return checkMocked(options.mock as MockOptions)
}

/** Findings of the hooks module; empty without a hooks module. */
export function checkHooks({ options }: Configuration): ReturnType<typeof checkHooksModule> {
  return checkHooksModule(options.mock as MockOptions)
}

/** Findings of each file with rules. */
export function checkTransforms({ options }: Configuration): ReturnType<typeof checkRules> {
  return checkRules(options.mock as MockOptions)
}

/** One line for each collection that `--state` would store. */
export function findCollections({ options }: Configuration): ReturnType<typeof findMocked> {
  return findMocked(options.mock as MockOptions)
}
