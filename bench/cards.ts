import { capture } from './capture.ts'
import { type FilledBoard, fillBoards } from './cards-data.ts'
import type { Cases, ServerCase } from './cases.ts'
import { competeWithRaw } from './compete-with-raw.ts'
import { type Contender, OWN_CHECKOUT, startService } from './contender.ts'
import { type Load, measure, type Round } from './load.ts'
import { type Engine, findPostgres, SQLITE } from './storage.ts'
import { type Bar, markdownTable, type Outcome, ratio, roundsTable } from './table.ts'

const ROUNDS = 5
const FEW = 10
const MOST = 1_000
const LOAD = { connections: 32, seconds: 3 }
/** As browsers and fetch send it. */
const ENCODING = { 'accept-encoding': 'gzip, deflate, br' }

/** Raw ÷ nonet; on PostgreSQL a query of each request goes over a socket. */
const LIMITS: Readonly<Record<string, { list: number; notModified: number }>> = {
  [SQLITE.name]: { list: 0.5, notModified: 0.7 },
  PostgreSQL: { list: 0.3, notModified: 0.4 }
}

export function cardsCases(engines: readonly Engine[]): Cases {
  return { servers: engines.map(engineCase), note: `The board has ${MOST} cards.` }
}

function engineCase(engine: Engine): ServerCase {
  let board: FilledBoard | undefined
  const loadOf = (make: (filled: FilledBoard) => Load) => async () => {
    if (board === undefined) throw new Error('The board is not filled')
    return make(board)
  }
  return {
    variant: engine.name,
    engine,
    async start({ checkout, storageFlags }) {
      ;[board] = await fillBoards(checkout, storageFlags, [MOST])
      return startService(checkout, 'cards', storageFlags)
    },
    rows: [
      { name: 'content list', load: loadOf(listLoad) },
      { name: 'one card', load: loadOf(cardLoad) },
      { name: 'nested board', load: loadOf(boardLoad) }
    ]
  }
}

function listLoad({ id, key }: FilledBoard): Load {
  const headers = { ...ENCODING, authorization: `Bearer ${key}` }
  return { ...LOAD, path: `/content/${id}/cards?limit=${MOST}`, headers }
}

function cardLoad(board: FilledBoard): Load {
  return { ...listLoad(board), path: `/content/${board.id}/cards/${board.slug}` }
}

function boardLoad({ id, token }: FilledBoard): Load {
  const nested = 'cards=visible&card_attachments=true&card_customFieldItems=true&lists=open'
  return {
    ...LOAD,
    connections: 1,
    path: `/1/boards/${id}?${nested}&labels=all&customFields=true`,
    headers: { ...ENCODING, authorization: `Bearer ${token}` }
  }
}

async function conditional(url: string, load: Load): Promise<Load> {
  const { headers } = await capture(url + load.path, load.headers)
  const etag = String(headers.etag)
  return { ...load, headers: { ...load.headers, 'if-none-match': etag }, status: 304 }
}

/** Compares the content API with raw node:http that sends the same headers and bytes. */
export async function benchCards(): Promise<Outcome> {
  const postgres = findPostgres()
  const engines = postgres === undefined ? [SQLITE] : [SQLITE, postgres]
  const parts: { text: string; bars: readonly Bar[] }[] = []
  for (const engine of engines) parts.push(await benchEngine(engine))
  const setting = `${LOAD.connections} kept connections, ${ROUNDS} rounds of ${LOAD.seconds} s each, a publishable key; the list has ${MOST} cards with a label, two fields and an image each.`
  const missing =
    postgres === undefined ? ['PostgreSQL is not installed here and was left out.'] : []
  return {
    title: 'cards',
    text: [setting, ...parts.map(({ text }) => text), ...missing].join('\n\n'),
    bars: parts.flatMap(({ bars }) => bars)
  }
}

async function benchEngine(engine: Engine): Promise<{ text: string; bars: readonly Bar[] }> {
  const storage = await engine.open()
  const [few, many] = await fillBoards(OWN_CHECKOUT, storage.flags, [FEW, MOST])
  if (few === undefined || many === undefined) throw new Error('The boards are not filled')
  const nonet = await startService(OWN_CHECKOUT, 'cards', storage.flags)
  const first = await firstResponse(nonet, listLoad(many))
  const list = await competeWithRaw(nonet, listLoad(many), ROUNDS)
  const notModified = await competeWithRaw(
    nonet,
    await conditional(nonet.url, listLoad(many)),
    ROUNDS
  )
  const card = await competeWithRaw(nonet, cardLoad(many), ROUNDS)
  const nested = await nestedRounds(nonet, [few, many])
  const { residentBytes } = await nonet.usage()
  await nonet.stop()
  await storage.remove()
  const { name } = engine
  const limits = LIMITS[name]
  const bar = (what: string, rounds: Map<string, Round>, atLeast?: number): Bar => ({
    what: `${name}, ${what}, raw ÷ nonet`,
    value: ratio(rounds, 'raw node:http', 'nonet'),
    ...(atLeast !== undefined && { atLeast })
  })
  return {
    text: [
      `### content list, ${name}`,
      roundsTable(list, 'nonet'),
      `### content list, 304, ${name}`,
      roundsTable(notModified, 'nonet'),
      `### one card, ${name}`,
      roundsTable(card, 'nonet'),
      `### nested board of the compatible API, ${name}, one connection`,
      nested,
      `The first response of the list, which renders all cards, took ${first.toFixed(0)} ms. Adding ${MOST} cards over HTTP took ${many.seconds.toFixed(1)} s. Resident memory of nonet after the load: ${(residentBytes / 1e6).toFixed(0)} MB.`
    ].join('\n\n'),
    bars: [
      bar('content list', list, limits?.list),
      bar('content list 304', notModified, limits?.notModified),
      bar('one card', card)
    ]
  }
}

/** Milliseconds. */
async function firstResponse({ url }: Contender, { path, headers }: Load): Promise<number> {
  const started = performance.now()
  await capture(url + path, headers)
  return performance.now() - started
}

async function nestedRounds(nonet: Contender, boards: readonly FilledBoard[]): Promise<string> {
  const rows: string[][] = []
  for (const [index, board] of boards.entries()) {
    await measure(nonet, { ...boardLoad(board), seconds: 1 })
    const { cpuMicroseconds, p50, p99 } = await measure(nonet, boardLoad(board))
    const cards = index === 0 ? FEW : MOST
    rows.push([String(cards), (cpuMicroseconds / 1000).toFixed(1), String(p50), String(p99)])
  }
  return markdownTable(['cards', 'CPU ms/request', 'p50 ms', 'p99 ms'], rows)
}
