import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { plainRequest } from './exchange.mjs'
import { openapiRequests } from './openapi.mjs'
import { createPlayer } from './play.mjs'
import { startPair } from './servers.mjs'

const PREFERENCES = [
  'code=200',
  'code=404',
  'code=999',
  'dynamic=true',
  'example=none',
  'status=;;'
]
const FLAGS = ['--port', '0', '--json', '--verboseLevel', 'silent', '--seed', 'compare']

/** Compares `nonet mock` with the bundled and two large test documents, then `nonet proxy`. */
export async function compareMockAlone(roots, tables, { folder, report }) {
  const bundled = roots.map((root) => join(root, 'data', 'mock', 'garden.yaml'))
  const files = [bundled, ...largestDocuments(tables, folder).map((file) => [file, file])]
  for (const [index, file] of files.entries()) {
    const pair = await startPair(roots, (side) => ['mock', file[side], ...FLAGS])
    try {
      await playDocument(createPlayer(pair, report), 'nonet mock')
      if (index === 0) await compareProxy(roots, file, pair, report)
    } finally {
      await pair.stop()
    }
  }
}

function largestDocuments(tables, folder) {
  const documents = tables.flatMap(({ document }) => document ?? [])
  const sorted = [...new Set(documents.map((document) => JSON.stringify(document)))].sort(
    (one, other) => other.length - one.length
  )
  return sorted.slice(0, 2).map((text, index) => {
    const file = join(folder, `alone-${index + 1}.json`)
    writeFileSync(file, text)
    return file
  })
}

async function compareProxy(roots, file, upstreams, report) {
  const urls = upstreams.sides.map((side) => side.targets.mock.url)
  const pair = await startPair(roots, (side) => ['proxy', file[side], urls[side], ...proxyFlags()])
  for (const [side, url] of urls.entries()) {
    pair.sides[side].ports.set(new URL(url).port, '<port of upstream>')
  }
  try {
    await playDocument(createPlayer(pair, report), 'nonet proxy')
  } finally {
    await pair.stop()
  }
}

function proxyFlags() {
  return FLAGS.filter((flag) => flag !== '--seed' && flag !== 'compare')
}

async function playDocument(player, group) {
  const document = await player.fetchJson('mock', '/__nonet/document.json')
  const plain = openapiRequests(document, { service: 'mock', group })
  const targets = [...new Set(plain.filter(({ label }) => label.startsWith('GET ')))]
  const preferred = PREFERENCES.flatMap((prefer) =>
    targets.map(({ label }) => ({
      ...plainRequest({ path: label.slice(4), headers: { prefer } }),
      label: `${label} Prefer: ${prefer}`,
      service: 'mock',
      group
    }))
  )
  await player.playAll([...plain, ...preferred])
}
