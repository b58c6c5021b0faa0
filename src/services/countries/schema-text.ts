import { readFileSync } from 'node:fs'

/** The published text is what is served: nothing is generated from anything else. */
export function readSchemaText(): string {
  return readFileSync(new URL('./schema.graphql', import.meta.url), 'utf8')
}
