import { renderPage } from '../../../kernel/page.ts'
import type { Coverage } from '../coverage/coverage.ts'
import { coverageView } from '../coverage/view.ts'

const TITLE = 'Coverage report'

/** A self-contained HTML file. */
export function reportPage(coverage: Coverage): string {
  return renderPage({
    title: TITLE,
    crumbs: [{ text: 'mock' }, { text: TITLE }],
    main: coverageView(coverage, { onlyNever: false })
  })
}
