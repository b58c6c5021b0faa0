import type { AccountState } from '../accounts/account.ts'
import type { StateChanged } from '../store/state-topics.ts'

interface StateLabel {
  readonly type: string
  readonly name: string
  readonly spinner?: true
}

/** As EmailEngine shows them. */
const LABELS: Readonly<Record<AccountState, StateLabel>> = {
  init: { type: 'info', name: 'Initializing', spinner: true },
  connecting: { type: 'info', name: 'Connecting', spinner: true },
  syncing: { type: 'info', name: 'Syncing', spinner: true },
  connected: { type: 'success', name: 'Connected' },
  authenticationError: { type: 'danger', name: 'Failed' },
  connectError: { type: 'danger', name: 'Failed' },
  disconnected: { type: 'warning', name: 'Disconnected' },
  unset: { type: 'light', name: 'Not syncing' },
  paused: { type: 'secondary', name: 'Paused' }
}

/** What EmailEngine sends about another state of an account. */
export function stateFrame({ account, state, error }: StateChanged): object {
  const message = error?.response
  const label = LABELS[state]
  return {
    account,
    type: 'state',
    key: state,
    payload: error === undefined ? null : { error },
    stateLabel: message === undefined ? label : { ...label, error: message }
  }
}
