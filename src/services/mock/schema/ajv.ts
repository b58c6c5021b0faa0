import type { Ajv2020, Options } from 'ajv/dist/2020.js'
import { addConstAndEnum, addUniqueItems, createAjv } from '../../../kernel/ajv.ts'
import { addFormats } from './formats.ts'
import type { Patterns } from './pattern/pattern.ts'

/** With this precision, 0.3 is a multiple of 0.1. */
const MULTIPLE_OF_PRECISION = 10

export function openAjv(patterns: Patterns, options: Options): Ajv2020 {
  const ajv = createAjv(patterns.get, {
    // The view has already checked every keyword.
    validateSchema: false,
    meta: false,
    allowUnionTypes: true,
    multipleOfPrecision: MULTIPLE_OF_PRECISION,
    ...options
  })
  addFormats(ajv)
  addConstAndEnum(ajv)
  addUniqueItems(ajv, { namesItems: true })
  return ajv
}
