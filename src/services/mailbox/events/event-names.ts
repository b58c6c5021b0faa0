/** Events, by the names that EmailEngine has for its webhooks. */
export const EVENT_NAMES = [
  'messageNew',
  'messageDeleted',
  'messageUpdated',
  'messageMissing',
  'mailboxNew',
  'mailboxDeleted',
  'mailboxReset',
  'messageSent',
  'messageDeliveryError',
  'messageFailed',
  'accountAdded',
  'accountDeleted',
  'accountInitialized',
  'authenticationSuccess',
  'authenticationError',
  'connectError'
] as const
export type EventName = (typeof EVENT_NAMES)[number]
