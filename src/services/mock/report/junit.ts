import type { Coverage, OperationCoverage } from '../coverage/coverage.ts'
import { countOf, errorsOf, type FailOn, summarise } from './summary.ts'

/** JUnit XML for CI servers, with one test case for each operation. */
export function junitReport(coverage: Coverage, failOn: readonly FailOn[]): string {
  const all = coverage.list()
  const { operations, covered, strays } = summarise(coverage)
  const uncoveredFails = failOn.includes('uncovered')
  const broken = all.filter((entry) => errorsOf(entry).length > 0).length
  const uncovered = operations - covered
  const errors = broken + strays + (uncoveredFails ? uncovered : 0)
  const skipped = uncoveredFails ? 0 : uncovered
  const cases = [
    ...all.map((entry) => operationCase(entry, uncoveredFails)),
    ...coverage.strays().map(({ method, path, message }) => {
      return testCase(`${method} ${path}`, 'stray', failureElement('no operation', message))
    })
  ]
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
<testsuite name="nonet mock" tests="${cases.length}" failures="${errors}" skipped="${skipped}">
${cases.join('\n')}
</testsuite>
</testsuites>
`
}

function operationCase(entry: OperationCoverage, uncoveredFails: boolean): string {
  const { operation, calls } = entry
  const name = `${operation.method} ${operation.path}`
  if (calls === 0) {
    const text = 'no request reached this operation'
    return testCase(
      name,
      'operation',
      uncoveredFails ? failureElement('uncovered', text) : '<skipped/>'
    )
  }
  const errors = errorsOf(entry).map(
    ({ method, path, status, location, message }) =>
      `${method} ${path} ${status}: ${location} ${message}`
  )
  const summary = countOf(errors.length, 'violation')
  return testCase(
    name,
    'operation',
    errors.length === 0 ? '' : failureElement(summary, errors.join('\n'))
  )
}

function testCase(name: string, kind: string, inner: string): string {
  return `<testcase classname="${kind}" name="${escapeXml(name)}">${inner}</testcase>`
}

function failureElement(message: string, text: string): string {
  return `<failure message="${escapeXml(message)}">${escapeXml(text)}</failure>`
}

/** XML 1.0 cannot represent most control characters. */
function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
