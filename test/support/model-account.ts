/** Accounts on servers that tests control, watched by one process. */
import assert from 'node:assert/strict'
import { until } from './delivery-receiver.ts'
import { type EventBody, type EventReceiver, openEventReceiver } from './event-receiver.ts'
import { type ImapModel, type ImapModelOptions, openImapModel } from './imap-model.ts'
import { type Daemon, launchDaemon } from './watching-daemon.ts'

const PATIENCE_MS = 30_000

export interface ModelAccount extends AsyncDisposable {
  account: string
  model: ImapModel
  /** Events of the account so far, in the order of their first deliveries. */
  events: () => readonly EventBody[]
  /** `<event> <UID or path>` of all events but those of the account. */
  changes: () => readonly string[]
  /** Waits for an event, described as in `changes`. */
  expect: (what: string, timeoutMs?: number) => Promise<void>
  /**
   * Adds a message, tells of it and waits for its event: whatever was found before has been
   * reported then. Its UID.
   */
  mark: () => Promise<number>
}

export interface WatchedModels extends AsyncDisposable {
  daemon: Daemon
  receiver: EventReceiver
  /** Opens a server with one account; waits until it was read, unless `isHostile`. */
  open: (
    options?: ImapModelOptions & { isHostile?: boolean; fields?: object }
  ) => Promise<ModelAccount>
}

export async function watchModels(env: Record<string, string> = {}): Promise<WatchedModels> {
  const receiver = await openEventReceiver()
  const daemon = await launchDaemon(['--ephemeral'], { env })
  await daemon.sendTo(receiver)
  let count = 0

  async function open({
    isHostile = false,
    fields = {},
    ...options
  }: ImapModelOptions & { isHostile?: boolean; fields?: object } = {}): Promise<ModelAccount> {
    const model = await openImapModel(options)
    const account = `model-${++count}`
    const { port } = model.server
    await daemon.add(
      account,
      { host: '127.0.0.1', port, auth: { user: 'a', pass: 'right' } },
      fields
    )
    const opened = modelAccount(account, model, receiver)
    if (!isHostile) {
      await opened.expect('accountInitialized')
      await until(() => model.waiting() > 0, `${account} to wait for changes`, PATIENCE_MS)
    }
    return opened
  }

  return {
    daemon,
    receiver,
    open,
    async [Symbol.asyncDispose]() {
      await daemon[Symbol.asyncDispose]()
      await receiver[Symbol.asyncDispose]()
    }
  }
}

function modelAccount(account: string, model: ImapModel, receiver: EventReceiver): ModelAccount {
  const events = () =>
    receiver
      .first()
      .map(({ body }) => body)
      .filter((body) => body.account === account)
  const describe = ({ event, path, data }: EventBody) => `${event} ${data.uid ?? path ?? ''}`.trim()
  const changes = () =>
    events()
      .map(describe)
      .filter((text) => /^(message|mailbox)/.test(text))

  async function expect(what: string, timeoutMs = PATIENCE_MS): Promise<void> {
    const isThere = () => events().some((body) => describe(body) === what)
    await until(isThere, what, timeoutMs).catch((error) => {
      assert.fail(`${error.message}; so far ${events().map(describe).join(', ')}`)
    })
  }

  return {
    account,
    model,
    events,
    changes,
    expect,
    async mark() {
      const uid = model.append()
      await model.tell()
      await expect(`messageNew ${uid}`)
      return uid
    },
    [Symbol.asyncDispose]: () => model[Symbol.asyncDispose]()
  }
}
