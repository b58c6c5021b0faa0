import { loadOnce } from '../../../kernel/load-once.ts'
import type { MailStore } from '../sandbox/mail-store.ts'
import type { StoreKernel } from './open-store.ts'
import type { Limits } from './totals.ts'
import { createWatch } from './watch.ts'

type LoadedMethods = Omit<MailStore, 'watch'>

const METHODS: Readonly<Record<keyof LoadedMethods, true>> = {
  addAccount: true,
  findAccount: true,
  readPassword: true,
  listAccounts: true,
  countAccounts: true,
  removeAccount: true,
  caughtAccount: true,
  deliver: true,
  listMailboxes: true,
  listSubscriptions: true,
  findMailbox: true,
  status: true,
  createMailbox: true,
  renameMailbox: true,
  removeMailbox: true,
  subscribe: true,
  readMessages: true,
  changesSince: true,
  readContents: true,
  append: true,
  storeFlags: true,
  copy: true,
  move: true,
  expunge: true,
  findMessages: true,
  countMessages: true,
  findMessage: true,
  removeMessages: true
}

export interface OpenedMailStore extends MailStore {
  /** Ends all subscriptions. */
  stop: () => void
}

/** What reads and writes is loaded at its first use, because most starts do neither. */
export function mailStore(kernel: StoreKernel, limits: Limits): OpenedMailStore {
  const load = loadOnce(async () => {
    const { openStore } = await import('./open-store.ts')
    return openStore(kernel, limits)
  })
  const call = async (name: keyof LoadedMethods, args: readonly unknown[]) => {
    const method = (await load())[name] as (...args: readonly unknown[]) => Promise<unknown>
    return method(...args)
  }
  const methods = Object.keys(METHODS) as (keyof LoadedMethods)[]
  const lazy = methods.map((name) => [name, (...args: readonly unknown[]) => call(name, args)])
  return { ...(Object.fromEntries(lazy) as LoadedMethods), ...createWatch(kernel.database) }
}
