import { autoconfigHandlers } from '../accounts/autoconfig/handler.ts'
import { accountsHandlers } from '../accounts/handlers.ts'
import { connectionsHandlers } from '../connections/handlers.ts'
import { controlHandlers } from '../control/handlers.ts'
import { eventsHandlers } from '../events/handlers.ts'
import { changeHandlers } from '../messages/change-handlers.ts'
import { messagesHandlers } from '../messages/handlers.ts'
import { submitHandlers } from '../submit/handlers.ts'
import { watchHandlers } from '../watch/handlers.ts'
import type { Handler } from './route.ts'
import type { HandlerName } from './route-table.ts'

/** A route of the table without a handler does not compile. */
export const HANDLERS: Readonly<Record<HandlerName, Handler>> = {
  ...accountsHandlers,
  ...autoconfigHandlers,
  ...connectionsHandlers,
  ...messagesHandlers,
  ...changeHandlers,
  ...submitHandlers,
  ...controlHandlers,
  ...watchHandlers,
  ...eventsHandlers
}
