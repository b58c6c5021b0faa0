import type { HandlerName } from '../../src/services/mailbox/api/route-table.ts'
import { accountExamples } from './mailbox-table-accounts.ts'
import { changeExamples } from './mailbox-table-changes.ts'
import { controlExamples } from './mailbox-table-control.ts'
import { eventExamples } from './mailbox-table-events.ts'
import { messageExamples } from './mailbox-table-messages.ts'
import type { TableRow } from './mailbox-table-row.ts'
import { submitExamples } from './mailbox-table-submit.ts'

/** A route without an example does not compile. */
export const EXAMPLES: Readonly<Record<HandlerName, TableRow>> = {
  ...accountExamples,
  ...messageExamples,
  ...changeExamples,
  ...submitExamples,
  ...controlExamples,
  ...eventExamples
}
