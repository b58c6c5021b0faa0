import { createRequire } from 'node:module'
import type { Ajv2020, Options } from 'ajv/dist/2020.js'
import { addEquality } from '../../../kernel/json-equality.ts'
import { addFormats } from './formats.ts'
import type { Patterns } from './pattern/pattern.ts'

const require = createRequire(import.meta.url)

/** So that 0.3 is a multiple of 0.1. */
const MULTIPLE_OF_PRECISION = 10

/** Ajv takes a tenth of a second to load, so it is loaded with the first schema. */
export function openAjv(patterns: Patterns, options: Options): Ajv2020 {
  const module: typeof import('ajv/dist/2020.js') = require('ajv/dist/2020.js')
  const regExp = Object.assign((source: string) => patterns.get(source), { code: 'undefined' })
  const ajv = new module.Ajv2020({
    strict: false,
    // The view has looked at every keyword already.
    validateSchema: false,
    meta: false,
    allowUnionTypes: true,
    inlineRefs: false,
    // A property named `constructor` is there only when the value has it itself.
    ownProperties: true,
    multipleOfPrecision: MULTIPLE_OF_PRECISION,
    logger: false,
    ...options,
    code: { regExp }
  })
  addFormats(ajv)
  addEquality(ajv)
  return ajv
}
