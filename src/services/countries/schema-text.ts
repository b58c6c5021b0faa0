import { readFileSync } from 'node:fs'

/** The schema is served as this file contains it; it is not generated. */
export function readSchemaText(): string {
  return readFileSync(new URL('./schema.graphql', import.meta.url), 'utf8')
}
