import type { Finding } from '../../../kernel/service.ts'
import type { Operation } from '../model/api.ts'
import type { ServedApi } from '../served-api.ts'
import { checkValue } from './check-response.ts'
import { ownExamples } from './content-value.ts'

/** The document's own examples of responses that break its own schemas, each told once. */
export function* findInvalidExamples(served: ServedApi): Generator<Finding, void, void> {
  const seen = new Set<string>()
  for (const operation of served.api.operations) yield* findIn(served, operation, seen)
}

function* findIn(
  served: ServedApi,
  { responses }: Operation,
  seen: Set<string>
): Generator<Finding, void, void> {
  for (const media of responses.flatMap(({ contents }) => contents)) {
    for (const example of ownExamples(served, media)) {
      if (example.value === undefined || seen.has(example.pointer)) continue
      seen.add(example.pointer)
      const found = checkValue(served, media, example.value)
      if (found.length === 0) continue
      const [first] = found
      const more = found.length > 1 ? ` (and ${found.length - 1} more)` : ''
      yield {
        level: 'warning',
        where: `${served.label}#${example.pointer}`,
        text: `The example ${example.key} breaks its own schema: ${first?.message}${more}`
      }
    }
  }
}
