import type { ApiHandler } from '../context.ts'
import { actionHandlers } from './actions.ts'
import { addCardHandlers } from './add-card.ts'
import { attachmentHandlers } from './attachments.ts'
import { batchHandlers } from './batch.ts'
import { boardHandlers } from './boards.ts'
import { cardLabelHandlers } from './card-labels.ts'
import { cardListHandlers } from './card-lists.ts'
import { cardHandlers } from './cards.ts'
import { checkItemHandlers } from './check-items.ts'
import { checklistHandlers } from './checklists.ts'
import { customFieldHandlers } from './custom-fields.ts'
import { fieldOptionHandlers } from './field-options.ts'
import { itemHandlers } from './items.ts'
import { labelHandlers } from './labels.ts'
import { listHandlers } from './lists.ts'
import { memberHandlers } from './members.ts'
import type { HandlerName } from './route-table.ts'
import { searchHandlers } from './search.ts'
import { tokenHandlers } from './tokens.ts'
import { webhookHandlers } from './webhooks.ts'

/** By the name in the route table. */
export const HANDLERS: Readonly<Record<HandlerName, ApiHandler>> = {
  ...actionHandlers,
  ...addCardHandlers,
  ...attachmentHandlers,
  ...cardHandlers,
  ...cardLabelHandlers,
  ...cardListHandlers,
  ...checkItemHandlers,
  ...checklistHandlers,
  ...customFieldHandlers,
  ...fieldOptionHandlers,
  ...itemHandlers,
  ...searchHandlers,
  ...batchHandlers,
  ...boardHandlers,
  ...labelHandlers,
  ...listHandlers,
  ...memberHandlers,
  ...tokenHandlers,
  ...webhookHandlers
}
