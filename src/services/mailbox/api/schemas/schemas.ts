import type { InputSchemas } from '../route.ts'
import type { HandlerName } from '../route-table.ts'
import { accountSchemas } from './account.ts'
import { autoconfigSchemas } from './autoconfig.ts'
import { changeSchemas } from './change.ts'
import { controlSchemas } from './control.ts'
import { eventsSchemas } from './events.ts'
import { mailboxSchemas } from './mailbox.ts'
import { messageSchemas } from './message.ts'
import { searchSchemas } from './search.ts'
import { submitSchemas } from './submit.ts'

/** A route without an entry takes neither parameters nor a body. */
export const SCHEMAS: Readonly<Partial<Record<HandlerName, InputSchemas>>> = {
  ...accountSchemas,
  ...autoconfigSchemas,
  ...mailboxSchemas,
  ...messageSchemas,
  ...searchSchemas,
  ...changeSchemas,
  ...submitSchemas,
  ...controlSchemas,
  ...eventsSchemas
}
