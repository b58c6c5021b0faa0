/**
 * Several processes on one PostgreSQL: one of them watches the accounts, all serve the API. If the
 * one that watches is killed, paused or stopped, another one watches, and every change is reported
 * with one id.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { until } from '../support/delivery-receiver.ts'
import { EFFORT } from '../support/effort.ts'
import { ENGINES, temporaryDatabase } from '../support/engines.ts'
import { type EventReceiver, openEventReceiver } from '../support/event-receiver.ts'
import { readEvents } from '../support/event-stream.ts'
import { launchNonet, runNonet, temporaryFolder } from '../support/launcher.ts'
import {
  type Daemon,
  daemonOf,
  launchMailServer,
  type MailServer,
  untilInitialized
} from '../support/watching-daemon.ts'

const ACCOUNTS = ['ada', 'bob', 'cleo']
/** Their webhooks wait for the leases of a killed process while the next test runs. */
const ACCOUNTS_OF_KILL = ['bob', 'cleo']
const ARRIVALS = 20 * EFFORT
const MAX_TAKEOVER_MS = 30_000
/** Webhooks that a killed process had begun wait for the end of their lease. */
const AFTER_LEASE_MS = 120_000
const ENV = { NONET_SECRET_KEY: '3'.repeat(64) }

interface Stats {
  connections: Record<string, number>
  watcher: { pid: number; host: string; isThisProcess: boolean } | null
}

describe('processes that share the accounts', {
  skip: !ENGINES.includes('postgres'),
  timeout: 400_000
}, () => {
  const folders = [temporaryFolder(), temporaryFolder(), temporaryFolder()]
  const addresses = new Map<string, string>()
  const made: string[] = []
  let database: Awaited<ReturnType<typeof temporaryDatabase>>
  let server: MailServer
  let receiver: EventReceiver
  let processes: Daemon[] = []

  before(async () => {
    database = await temporaryDatabase()
    server = await launchMailServer()
    receiver = await openEventReceiver()
    processes = await Promise.all([launchOn(0), launchOn(1)])
    const [first, second] = pair()
    await first.sendTo(receiver)
    for (const account of ACCOUNTS) {
      const { address, imap } = await server.add(account)
      addresses.set(account, address)
      await second.add(account, imap)
    }
    await untilInitialized(receiver, ACCOUNTS)
  })
  after(async () => {
    for (const one of processes) await one[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
    await receiver[Symbol.asyncDispose]()
    await database[Symbol.asyncDispose]()
    for (const folder of folders) folder[Symbol.dispose]()
  })

  /** Without `--quiet`, so that it tells the operator which process watches. */
  async function launchOn(folder: number): Promise<Daemon> {
    const path = folders[folder]?.path ?? ''
    const args = ['mailbox', '--data', path, '--database', database.url]
    return daemonOf(await launchNonet(args, { env: ENV }))
  }

  /** What a process has told the operator about watching. */
  function toldBy({ nonet }: Daemon): readonly string[] {
    return nonet.stderr().match(/^.*(?:watch|PostgreSQL|Error).*$/gm) ?? []
  }

  function pair(): readonly [Daemon, Daemon] {
    const [first, second] = processes
    assert.ok(first !== undefined && second !== undefined)
    return [first, second]
  }

  const statsOf = (one: Daemon) => one.call<Stats>('GET', '/v1/stats')
  const isHolder = async (one: Daemon) => (await statsOf(one)).watcher?.isThisProcess === true

  /** The process that watches, and the other one. */
  async function roles(): Promise<{ holder: Daemon; other: Daemon }> {
    const [first, second] = pair()
    const isFirst = await isHolder(first)
    return isFirst ? { holder: first, other: second } : { holder: second, other: first }
  }

  /** Messages arrive in these accounts at once; resolves when the server has all of them. */
  async function arrive(burst: string, count = ARRIVALS, accounts = ACCOUNTS): Promise<void> {
    const sending = accounts.map(async (account) => {
      using sender = await server.openSender()
      for (let number = 0; number < count; number++) {
        const subject = `${account}-${burst}-${number}`
        made.push(subject)
        await sender.send(addresses.get(account) ?? '', subject)
      }
    })
    await Promise.all(sending)
  }

  const reported = () => receiver.named('messageNew').map(({ body }) => String(body.data.subject))

  async function assertAllReported(): Promise<void> {
    await until(() => reported().length >= made.length, 'all messages', AFTER_LEASE_MS)
    receiver.assertSingle()
    assert.deepEqual(reported().toSorted(), made.toSorted())
    for (const account of ACCOUNTS) {
      const own = receiver.named('messageNew').filter(({ body }) => body.account === account)
      const uids = own.map(({ body }) => body.data.uid ?? 0)
      assert.deepEqual(
        uids,
        uids.toSorted((a, b) => a - b),
        `order of ${account}`
      )
    }
  }

  test('one process watches, and stats of all and doctor say which', async () => {
    const { holder, other } = await roles()
    const { pid } = holder.nonet.ready
    assert.deepEqual(toldBy(holder), [])
    await until(() => toldBy(other).length > 0, 'the words of the other process')
    assert.equal(toldBy(other).length, 1)
    assert.match(
      toldBy(other)[0] ?? '',
      new RegExp(`mail accounts are watched by process ${pid} on .*, not by this process$`)
    )
    assert.deepEqual((await statsOf(holder)).watcher?.pid, pid)
    const { watcher } = await statsOf(other)
    assert.deepEqual(
      { pid: watcher?.pid, isThisProcess: watcher?.isThisProcess },
      { pid, isThisProcess: false }
    )
    const { stdout } = await runNonet(
      ['doctor', 'mailbox', '--port-base=0', '--database', database.url],
      { cwd: folders[2]?.path ?? '', env: ENV }
    )
    assert.match(stdout, new RegExp(`^ok +mail accounts are watched \\(by process ${pid} on `, 'm'))
  })

  test('a process that does not watch serves the API and knows the states of accounts', async () => {
    // It started after the states were stored.
    await using third = await launchOn(2)
    const { holder } = await roles()
    for (const one of [...pair(), third]) {
      await until(async () => {
        const { connections } = await statsOf(one)
        return connections.connected === ACCOUNTS.length
      }, 'the states of all accounts')
      const { state } = await one.call<{ state: string }>('GET', '/v1/account/ada')
      assert.equal(state, 'connected')
      const path = '/v1/account/ada/mailboxes'
      const { mailboxes } = await one.call<{ mailboxes: { path: string }[] }>('GET', path)
      assert.ok(mailboxes.some((mailbox) => mailbox.path === 'INBOX'))
    }
    assert.equal(await isHolder(third), false)
    assert.equal(await isHolder(holder), true)
  })

  test('a stream of a process that does not watch has the events of all accounts', async () => {
    const { other } = await roles()
    const seen: string[] = []
    const ending = new AbortController()
    const { promise: isOpen, resolve: onOpen } = Promise.withResolvers<void>()
    const reading = (async () => {
      const url = `${other.url}/v1/changes?events=messageNew`
      const events = readEvents(url, {}, ending.signal, onOpen)
      for await (const { id, data } of events) {
        if (id === undefined) continue
        seen.push(`${id} ${JSON.parse(data).data.subject}`)
      }
    })().catch((error) => assert.equal(error.name, 'AbortError'))
    await Promise.race([isOpen, reading])
    const before = made.length
    await arrive('streamed', 2)
    await assertAllReported()
    const expected = () =>
      receiver
        .named('messageNew')
        .filter(({ body }) => made.indexOf(String(body.data.subject)) >= before)
        .map(({ id, body }) => `${id} ${body.data.subject}`)
    await until(() => seen.length >= expected().length, 'the events of the stream')
    assert.deepEqual(seen.toSorted(), expected().toSorted())
    ending.abort()
    await reading
  })

  test('the process that watches is stopped: another one watches at once, and the operator is told', async () => {
    const { holder, other } = await roles()
    await until(() => toldBy(other).length > 0, 'the other process waits')
    const arriving = arrive('stopped')
    const stoppedAt = performance.now()
    await holder.nonet.end('SIGTERM')
    await until(() => isHolder(other), 'the other process watches', MAX_TAKEOVER_MS)
    assert.ok(performance.now() - stoppedAt < 15_000, 'it did not wait for a silent session')
    await arriving
    await assertAllReported()
    assert.match(toldBy(other).at(-1) ?? '', /this process watches the mail accounts now$/)
    const folder = processes.indexOf(holder)
    processes[folder] = await launchOn(folder)
  })

  test('the process that watches is killed: another one watches within 30 s', async (t) => {
    const { holder, other } = await roles()
    await until(() => toldBy(other).length > 0, 'the other process waits')
    const before = reported().length
    const arriving = arrive('killed', 1.5 * ARRIVALS, ACCOUNTS_OF_KILL)
    await until(() => reported().length > before + ARRIVALS / 2, 'events of the burst')
    const killedAt = performance.now()
    await holder.nonet.end('SIGKILL')
    await until(() => isHolder(other), 'the other process watches', MAX_TAKEOVER_MS)
    const takeoverMs = performance.now() - killedAt
    await arriving
    await arrive('taken-over', 2, ACCOUNTS_OF_KILL)
    assert.ok(takeoverMs < MAX_TAKEOVER_MS)
    assert.match(toldBy(other).at(-1) ?? '', /this process watches the mail accounts now$/)
    t.diagnostic(`watched after ${Math.round(takeoverMs)} ms`)
    const folder = processes.indexOf(holder)
    processes[folder] = await launchOn(folder)
  })

  test('the process that watches is paused: another one watches within 30 s, and the first one repeats nothing when it goes on', async (t) => {
    const { holder, other } = await roles()
    await until(() => toldBy(other).length > 0, 'the other process waits')
    const arriving = arrive('paused')
    holder.nonet.child.kill('SIGSTOP')
    const pausedAt = performance.now()
    try {
      await until(() => isHolder(other), 'the other process watches', MAX_TAKEOVER_MS)
      t.diagnostic(`watched after ${Math.round(performance.now() - pausedAt)} ms`)
      await arriving
      await arrive('while-paused', 2)
    } finally {
      holder.nonet.child.kill('SIGCONT')
    }
    await arrive('continued', 2)
    await assertAllReported()
    assert.equal(await isHolder(holder), false)
    assert.equal(await isHolder(other), true)
    const { pid } = other.nonet.ready
    await until(
      () => toldBy(holder).at(-1)?.includes(`watched by process ${pid} on `) === true,
      'the words of the process that was paused'
    )
  })

  test('every message is reported once, those of the killed process too', assertAllReported)
})
