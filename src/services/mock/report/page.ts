import { renderPage } from '../../../kernel/page.ts'
import type { Coverage } from '../coverage/coverage.ts'
import { coverageView } from '../coverage/view.ts'

const TITLE = 'Coverage report'

/** A file that opens anywhere: nothing in it is loaded from elsewhere. */
export function reportPage(coverage: Coverage): string {
  return renderPage({
    title: TITLE,
    crumbs: [{ text: 'mock' }, { text: TITLE }],
    main: coverageView(coverage, { onlyNever: false })
  })
}
