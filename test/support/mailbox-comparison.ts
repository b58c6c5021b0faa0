/** Plays sequences of IMAP commands on two servers and compares what they respond. */
import { type CommandPart, type ImapClient, openImap } from './imap-client.ts'
import type { ImapResponse } from './imap-response.ts'
import type { Part, Sources } from './mailbox-command-parts.ts'
import { type ClientView, emptyView, normalise, type ServerMemory } from './mailbox-normalise.ts'
import type { Sequence, Step } from './mailbox-sequences.ts'

export interface ImapAccount {
  name: string
  port: number
  user: string
  password: string
}

export interface Mismatch {
  command: string
  /** The lines that only one of the servers has. */
  only: readonly [readonly string[], readonly string[]]
  /** All commands up to this one with the responses as they came. */
  log: string
}

/** Removes what a documented difference explains from the lines of both servers. */
export type Explain = (
  command: string,
  lines: readonly [readonly string[], readonly string[]]
) => readonly [readonly string[], readonly string[]]

type Role = Step['client']

/** One server during one sequence. */
interface Stage {
  name: string
  clients: Readonly<Record<Role, ImapClient>>
  views: Readonly<Record<Role, ClientView>>
  memory: ServerMemory
  log: string[]
}

/** An account on both servers; its connections are used for many sequences. */
export function openComparison(accounts: readonly [ImapAccount, ImapAccount], explain: Explain) {
  const open = new Map<string, Promise<ImapClient>>()

  function clientOf(account: ImapAccount, mode: Sources['mode'], role: Role) {
    const key = `${account.name} ${mode} ${role}`
    const client = open.get(key) ?? logIn(account, mode, role)
    open.set(key, client)
    return client
  }

  async function stageOf(account: ImapAccount, mode: Sources['mode']): Promise<Stage> {
    const [first, second] = await Promise.all([
      clientOf(account, mode, 'first'),
      clientOf(account, mode, 'second')
    ])
    return {
      name: account.name,
      clients: { first, second },
      views: { first: emptyView(), second: emptyView() },
      memory: { validities: [], validity: '0', checkpoints: [] },
      log: []
    }
  }

  async function play(sequence: Sequence): Promise<Mismatch | undefined> {
    const [one, other] = accounts
    const stages = await Promise.all([
      stageOf(one, sequence.mode),
      stageOf(other, sequence.mode)
    ] as const)
    try {
      const mismatch = await playOn(stages, sequence, explain)
      if (mismatch === undefined) await Promise.all(stages.map(deselect))
      else close()
      return mismatch
    } catch (error) {
      close()
      const log = stages.map((stage) => `${stage.name}:\n${stage.log.join('\n')}`).join('\n\n')
      throw new Error(`a sequence broke off: ${error}\n${log}`)
    }
  }

  function close(): void {
    for (const client of open.values()) {
      client.then(
        (opened) => opened[Symbol.dispose](),
        () => undefined
      )
    }
    open.clear()
  }

  return { play, close }
}

async function logIn(
  { port, user, password }: ImapAccount,
  mode: Sources['mode'],
  role: Role
): Promise<ImapClient> {
  const client = await openImap({ port, nonSync: role === 'first' })
  const commands = [`LOGIN ${user} ${password}`]
  if (mode !== 'plain') commands.push(`ENABLE ${mode.toUpperCase()}`)
  for (const command of commands) {
    const responses = await client.command(command)
    if (responses.at(-1)?.status !== 'OK') throw new Error(String(responses.at(-1)?.raw))
  }
  return client
}

async function playOn(
  stages: readonly [Stage, Stage],
  { mode, mailbox, steps }: Sequence,
  explain: Explain
): Promise<Mismatch | undefined> {
  const opening: Step[] = [
    { client: 'second', kind: 'command', parts: [`CREATE ${mailbox}`] },
    { client: 'first', kind: 'command', parts: [`SELECT ${mailbox}`] },
    { client: 'second', kind: 'command', parts: [`SELECT ${mailbox}`] }
  ]
  const all = [...opening, ...steps]
  for (let index = 0; index < all.length; index++) {
    const step = all[index]
    const following = all[index + 1]
    if (step === undefined) break
    if (step.kind === 'idle' && following !== undefined) {
      index++
      const results = await Promise.all(stages.map((stage) => playIdle(stage, step, following)))
      const [one, other] = results
      for (const [part, name] of [`${mode} first IDLE`, describe(following, mode)].entries()) {
        const lines = [one?.[part] ?? [], other?.[part] ?? []] as const
        if (isUncertain(lines)) return undefined
        const mismatch = compare(stages, name, lines, explain)
        if (mismatch !== undefined) return mismatch
      }
      continue
    }
    const [one = [], other = []] = await Promise.all(
      stages.map((stage) => playStep(stage, step, mailbox))
    )
    if (isUncertain([one, other])) return undefined
    const mismatch = compare(stages, describe(step, mode), [one, other], explain)
    if (mismatch !== undefined) return mismatch
  }
  return undefined
}

/**
 * Whether the mailboxes may differ afterwards. A command for a message that another client has
 * removed meanwhile is executed in part (Dovecot: FETCH, STORE) or not at all (Dovecot: COPY, MOVE;
 * the sandbox), as RFC 2180 allows. Dovecot moves messages out of a mailbox opened by EXAMINE, and
 * tells of changes of others where the sandbox rejects the command.
 */
function isUncertain([dovecot = [], sandbox = []]: readonly (readonly string[])[]): boolean {
  const [expected = '', actual = ''] = [dovecot.at(-1), sandbox.at(-1)]
  if (expected.includes('EXPUNGEISSUED') || actual.includes('EXPUNGEISSUED')) return true
  const isMore = dovecot.some((line) => /^message |COPYUID/.test(line))
  return expected.startsWith('OK') && actual.startsWith('NO') && isMore
}

function compare(
  stages: readonly Stage[],
  command: string,
  results: readonly [readonly string[], readonly string[]],
  explain: Explain
): Mismatch | undefined {
  const [one, other] = explain(command, results)
  const only = [
    one.filter((line) => !other.includes(line)),
    other.filter((line) => !one.includes(line))
  ] as const
  if (only[0].length === 0 && only[1].length === 0) return undefined
  const log = stages.map((stage) => `${stage.name}:\n${stage.log.join('\n')}`).join('\n\n')
  return { command, only, log }
}

async function playStep(stage: Stage, step: Step, mailbox: string): Promise<readonly string[]> {
  const { clients, memory } = stage
  const parts: readonly Part[] =
    step.kind === 'checkpoint' ? [`STATUS ${mailbox} (HIGHESTMODSEQ)`] : step.parts
  const sent = parts.map((part) => ownValue(part, memory))
  const responses = await clients[step.client].command(...sent)
  const lines = record(stage, step.client, sent, responses)
  if (step.kind === 'checkpoint') storeCheckpoint(responses, memory)
  if (parts[0] === `SELECT ${mailbox}`) storeValidity(responses, memory)
  return lines
}

async function playIdle(stage: Stage, step: Step, change: Step) {
  const client = stage.clients[step.client]
  const end = await client.idle()
  const changed = await playStep(stage, change, '')
  // Dovecot waits for half a second before it tells of a change, or for the next command.
  const told = [...(await end()), ...(await client.command('NOOP'))]
  return [record(stage, step.client, ['IDLE'], told), changed]
}

function record(
  stage: Stage,
  role: Role,
  sent: readonly CommandPart[],
  responses: readonly ImapResponse[]
): readonly string[] {
  const text = sent.map((part) => (typeof part === 'string' ? part : `{${part.length}}`)).join('')
  stage.log.push(`${role}> ${text}`, ...responses.map(({ raw }) => `  ${raw}`))
  const verb = /^(UID )?\w*/i.exec(text)?.[0].toUpperCase() ?? ''
  return normalise({ verb, responses, view: stage.views[role], memory: stage.memory })
}

function ownValue(part: Part, memory: ServerMemory): CommandPart {
  if (typeof part === 'string' || Buffer.isBuffer(part)) return part
  if (part.own === 'validity') return memory.validity
  return String((memory.checkpoints[part.own] ?? 1) + (part.plus ?? 0))
}

function storeCheckpoint(responses: readonly ImapResponse[], memory: ServerMemory): void {
  const value = responses.map(({ raw }) => /HIGHESTMODSEQ (\d+)/.exec(raw)?.[1]).find(Boolean)
  memory.checkpoints.push(Number(value))
}

function storeValidity(responses: readonly ImapResponse[], memory: ServerMemory): void {
  const value = responses.map(({ raw }) => /\[UIDVALIDITY (\d+)/.exec(raw)?.[1]).find(Boolean)
  memory.validity = value ?? memory.validity
}

/** The mode, the client and the command. */
function describe({ client, kind, parts }: Step, mode: Sources['mode']): string {
  if (kind !== 'command') return `${mode} ${client} ${kind}`
  const shown = parts.map((part) =>
    typeof part === 'string' ? part : Buffer.isBuffer(part) ? `{${part.length}}` : `<${part.own}>`
  )
  return `${mode} ${client} ${shown.join('')}`
}

/** Leaves both clients without a selected mailbox. */
async function deselect({ clients }: Stage): Promise<void> {
  await Promise.all([clients.first.command('UNSELECT'), clients.second.command('UNSELECT')])
}
