import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { capture } from './capture.ts'
import type { Cases } from './cases.ts'
import {
  type Contender,
  OWN_CHECKOUT,
  startContender,
  startRaw,
  startService,
  untilAnswers
} from './contender.ts'
import { compete } from './load.ts'
import { type Bar, type Outcome, ratio, roundsTable } from './table.ts'

/** Header that browsers and fetch send. */
const HEADERS = { 'accept-encoding': 'gzip, deflate, br' }
const LOAD = { connections: 32, seconds: 3, headers: HEADERS }
const ROUNDS = 5

/** Requests to nonet, and the equivalent ones to json-server. */
const QUESTIONS = [
  { title: 'one person record', path: '/api/people/1/', peerPath: '/people/1' },
  { title: 'a page of ten people', path: '/api/people/', peerPath: '/people?_page=1&_limit=10' },
  {
    title: 'a search',
    path: '/api/people/?search=t%C3%B8rr',
    peerPath: '/people?name_like=t%C3%B8rr'
  }
]

export const referenceCases: Cases = {
  servers: [
    {
      variant: '',
      start: ({ checkout }) => startReference(checkout),
      rows: QUESTIONS.map(({ title, path }) => ({ name: title, load: { ...LOAD, path } }))
    }
  ]
}

function startReference(checkout: string): Promise<Contender> {
  return startService(checkout, 'reference', ['--ephemeral'])
}

/** Compares nonet, raw node:http with the same bytes, and json-server on the same records. */
export async function benchReference(): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'nonet-bench-'))
  const nonet = await startReference(OWN_CHECKOUT)
  const answerFile = join(folder, 'answers.json')
  const dataFile = join(folder, 'db.json')
  const answers = QUESTIONS.map(async ({ path }) => [
    path,
    await capture(nonet.url + path, HEADERS)
  ])
  writeFileSync(answerFile, JSON.stringify(Object.fromEntries(await Promise.all(answers))))
  writeFileSync(dataFile, JSON.stringify(await allRecords(nonet.url)))
  const raw = await startRaw('servers/raw.mjs', answerFile)
  const peer = await startContender({
    name: 'json-server 0.17',
    script: 'node_modules/json-server/lib/cli/bin.js',
    args: (port) => ['--quiet', '--host=127.0.0.1', '--port', String(port), dataFile]
  })
  await untilAnswers(`${peer.url}/people/1`)
  const parts: string[] = []
  const bars: Bar[] = []
  for (const { title, path, peerPath } of QUESTIONS) {
    const rounds = await compete(
      [
        { contender: nonet, load: { ...LOAD, path } },
        { contender: raw, load: { ...LOAD, path } },
        { contender: peer, load: { ...LOAD, path: peerPath } }
      ],
      ROUNDS
    )
    parts.push(`### ${title}\n\n${roundsTable(rounds, 'nonet')}`)
    bars.push(
      { what: `${title}, raw ÷ nonet`, value: ratio(rounds, raw.name, 'nonet'), atLeast: 0.7 },
      {
        what: `${title}, json-server ÷ nonet`,
        value: ratio(rounds, peer.name, 'nonet'),
        atLeast: 10
      },
      { what: `${title}, json-server ÷ raw`, value: ratio(rounds, peer.name, raw.name) }
    )
  }
  const { residentBytes } = await nonet.usage()
  await Promise.all([nonet, raw, peer].map((contender) => contender.stop()))
  rmSync(folder, { recursive: true })
  const memory = `Resident memory of nonet after the load: ${(residentBytes / 1e6).toFixed(0)} MB.`
  const setting = `${LOAD.connections} kept connections, ${ROUNDS} rounds of ${LOAD.seconds} s each.`
  return { title: 'reference', text: [setting, ...parts, memory].join('\n\n'), bars }
}

async function allRecords(url: string): Promise<Record<string, object[]>> {
  const all: Record<string, { url: string }[]> = await (await fetch(`${url}/api/all.json`)).json()
  return Object.fromEntries(
    Object.entries(all).map(([type, records]) => [
      type,
      records.map((record) => ({ id: Number(record.url.split('/').at(-2)), ...record }))
    ])
  )
}
