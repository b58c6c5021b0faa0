import type { Finding } from '../../kernel/service.ts'
import { invalidExamplesOf } from './response/own-examples.ts'
import type { ServedApi } from './served-api.ts'

/** So many operations are looked at before the start is over. */
const AT_ONCE = 20
const FIRST_PAUSE_MS = 250
const SLICE_MS = 5
const PAUSE_MS = 5

/**
 * Tells every example of the documents that breaks its own schema. Of large documents most are
 * looked at bit by bit while they are being served. The function that comes back ends it.
 */
export function checkExamples(
  apis: readonly ServedApi[],
  tell: (finding: Finding) => void
): () => void {
  const steps = lookAtEach(apis, tell)
  let timer: NodeJS.Timeout | undefined
  for (let done = 0; done < AT_ONCE; done++) {
    if (steps.next().done === true) return () => {}
  }

  function goOn(): void {
    const until = performance.now() + SLICE_MS
    while (performance.now() < until) {
      if (steps.next().done === true) return
    }
    timer = setTimeout(goOn, PAUSE_MS).unref()
  }

  timer = setTimeout(goOn, FIRST_PAUSE_MS).unref()
  return () => clearTimeout(timer)
}

/** One operation at each step. */
function* lookAtEach(
  apis: readonly ServedApi[],
  tell: (finding: Finding) => void
): Generator<void, void, void> {
  for (const served of apis) {
    const seen = new Set<string>()
    for (const operation of served.api.operations) {
      for (const finding of invalidExamplesOf(served, operation, seen)) tell(finding)
      yield
    }
  }
}
