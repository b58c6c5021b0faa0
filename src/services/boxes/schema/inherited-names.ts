/** A text of the generated code, or the start of a collection of evaluated properties. */
const COLLECTION = /"(?:[^"\\]|\\.)*"|\b(props\d+ = (?:props\d+ \|\| )?)\{\};/g

/**
 * The library notes in plain objects which properties have been evaluated; `constructor` would
 * always be one of them, and `unevaluatedProperties` would let it pass.
 */
export function withoutInheritedNames(code: string): string {
  return code.replace(COLLECTION, (found, start?: string) =>
    start === undefined ? found : `${start}Object.create(null);`
  )
}
