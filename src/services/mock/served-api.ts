import type { Externals } from './document/external-examples.ts'
import type { JsonObject } from './document/json.ts'
import { createGenerator, type Generator } from './generate/generator.ts'
import { type RandomOptions, readRandomOptions } from './generate/random-options.ts'
import { buildApi } from './model/build.ts'
import type { Mount } from './routing/mount.ts'
import { createSchemas, type Schemas } from './schema/schemas.ts'

/** One document, ready to be mocked. */
export interface ServedApi extends Mount {
  document: JsonObject
  schemas: Schemas
  generator: Generator
  /** Generator options that the document sets in `x-json-schema-faker`. */
  random: RandomOptions
}

/** Expects a bundled document of version 3.1; `label` is its name in messages. */
export function serveApi(
  document: JsonObject,
  label: string,
  name?: string,
  externals?: Externals
): ServedApi {
  const schemas = createSchemas(document)
  return {
    label,
    name,
    document,
    api: buildApi(document, externals),
    schemas,
    generator: createGenerator(schemas),
    random: readRandomOptions(document['x-json-schema-faker']).options
  }
}

/**
 * The same document with new validators, which can be freed without it. `spend` is called with the
 * approximate number of bytes that they keep.
 */
export function renewServed(served: ServedApi, spend: (bytes: number) => void): ServedApi {
  const schemas = served.schemas.renew(spend)
  return { ...served, schemas, generator: createGenerator(schemas) }
}
