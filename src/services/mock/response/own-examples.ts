import type { Finding } from '../../../kernel/service.ts'
import type { MediaType, Operation } from '../model/api.ts'
import type { ServedApi } from '../served-api.ts'
import { checkValue } from './check-response.ts'
import { declaredExamples } from './content-value.ts'

/** Finds response examples of the document that do not match their schemas; reports each once. */
export function* findInvalidExamples(served: ServedApi): Generator<Finding, void, void> {
  const seen = new Set<string>()
  for (const operation of served.api.operations) yield* invalidExamplesOf(served, operation, seen)
}

/** Examples of one operation; `seen` contains the examples that were already checked. */
export function* invalidExamplesOf(
  served: ServedApi,
  { responses }: Operation,
  seen: Set<string>
): Generator<Finding, void, void> {
  for (const media of responses.flatMap(({ contents }) => contents)) {
    for (const example of declaredExamples(served, media)) {
      if (example.value === undefined || seen.has(example.pointer)) continue
      seen.add(example.pointer)
      if (isSurelyValid(served, media, example.value)) continue
      const found = checkValue(served, media, example.value)
      if (found.length === 0) continue
      const [first] = found
      const more = found.length > 1 ? ` (and ${found.length - 1} more)` : ''
      yield {
        level: 'warning',
        where: `${served.label}#${example.pointer}`,
        text: `The example ${example.key} does not match its schema: ${first?.message}${more}`
      }
    }
  }
}

/** Most examples are valid, and this check takes a hundredth of the time of compiling schemas. */
function isSurelyValid({ generator }: ServedApi, { schema }: MediaType, value: unknown): boolean {
  return schema === undefined || generator.isSurelyValid(`#${schema}`, 'response', value)
}
