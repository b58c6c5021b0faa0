/** A string in the generated code, or the start of a collection of evaluated properties. */
const COLLECTION = /"(?:[^"\\]|\\.)*"|\b(props\d+ = (?:props\d+ \|\| )?)\{\};/g

/**
 * Ajv collects the evaluated properties in plain objects; `constructor` would always be one of
 * them, and `unevaluatedProperties` would accept it.
 */
export function withoutInheritedNames(code: string): string {
  return code.replace(COLLECTION, (found, start?: string) =>
    start === undefined ? found : `${start}Object.create(null);`
  )
}
