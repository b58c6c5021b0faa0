import { NO_FRAME, renderPage } from '../../../kernel/page.ts'
import type { Coverage } from '../coverage/coverage.ts'
import { coverageView } from '../coverage/view.ts'

const TITLE = 'Coverage report'

/** A self-contained HTML file. */
export function reportPage(coverage: Coverage): string {
  const main = coverageView(coverage, { onlyNever: false })
  const crumbs = [{ text: 'mock' }, { text: TITLE }]
  return renderPage({ title: TITLE, crumbs, main }, { ...NO_FRAME, service: 'mock' })
}
