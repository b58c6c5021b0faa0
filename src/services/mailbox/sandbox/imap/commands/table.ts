import type { Command } from '../session/session.ts'
import { append } from './append.ts'
import { copy, move } from './copy.ts'
import { expunge } from './expunge.ts'
import { fetch } from './fetch.ts'
import { capability, check, enable, id, idle, logout, namespace, noop } from './general.ts'
import { list, lsub } from './list.ts'
import { authenticate, login } from './login.ts'
import { create, remove, rename, subscribe, unsubscribe } from './mailboxes.ts'
import { notify } from './notify.ts'
import { search } from './search.ts'
import { close, examine, select, unselectMailbox } from './select.ts'
import { startTls } from './start-tls.ts'
import { status } from './status.ts'
import { store } from './store.ts'

export const COMMANDS: ReadonlyMap<string, Command> = new Map(
  Object.entries({
    APPEND: append,
    AUTHENTICATE: authenticate,
    CAPABILITY: capability,
    CHECK: check,
    CLOSE: close,
    COPY: copy,
    CREATE: create,
    DELETE: remove,
    ENABLE: enable,
    EXAMINE: examine,
    EXPUNGE: expunge,
    FETCH: fetch,
    ID: id,
    IDLE: idle,
    LIST: list,
    LOGIN: login,
    LOGOUT: logout,
    LSUB: lsub,
    MOVE: move,
    NAMESPACE: namespace,
    NOOP: noop,
    NOTIFY: notify,
    RENAME: rename,
    SEARCH: search,
    SELECT: select,
    STARTTLS: startTls,
    STATUS: status,
    STORE: store,
    SUBSCRIBE: subscribe,
    UNSELECT: unselectMailbox,
    UNSUBSCRIBE: unsubscribe
  })
)
