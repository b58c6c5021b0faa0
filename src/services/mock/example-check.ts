import type { Finding } from '../../kernel/service.ts'
import { invalidExamplesOf } from './response/own-examples.ts'
import { renewServed, type ServedApi } from './served-api.ts'

/** Number of operations that are checked before startup completes. */
const AT_ONCE = 20
const FIRST_PAUSE_MS = 250
const SLICE_MS = 5
const PAUSE_MS = 5

/**
 * Reports every example that violates its schema. Operations beyond the first `AT_ONCE` are checked
 * in short slices while requests are served. Returns a function that stops the check.
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

/** Validators of the check are freed when they take about this much memory. */
const MAX_KEPT_BYTES = 8 * 1024 * 1024

/** Checks one operation per step. */
function* lookAtEach(
  apis: readonly ServedApi[],
  tell: (finding: Finding) => void
): Generator<void, void, void> {
  for (const served of apis) {
    const seen = new Set<string>()
    let own: ServedApi | undefined
    let bytes = 0
    for (const operation of served.api.operations) {
      if (own === undefined || bytes > MAX_KEPT_BYTES) {
        bytes = 0
        own = renewServed(served, (more) => {
          bytes += more
        })
      }
      for (const finding of invalidExamplesOf(own, operation, seen)) tell(finding)
      yield
    }
  }
}
